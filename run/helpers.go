package run

// Preparations on several workers. Rank 0 loads the problem, and some problems need a long time for
// preparations, while all other ranks wait. So rank 0 can give questions to the other ranks: each of them
// has the data that rank 0 has sent, and answers its part of the questions. Goroutine ranks do not run yet
// when the problem is loaded, and there may be many more of them than cores. Then other goroutines answer.

// Helpers are the workers that can take part in the preparations of a run. The asking worker is one of
// them.
type Helpers interface {
	// Size returns the number of workers, at least 1.
	Size() int
	// Begin gives the other workers the data for Helping.Help. It must be called before Ask.
	Begin(data []byte)
	// Ask returns the answers to some questions, in their order. own answers the questions that the
	// asking worker takes. Answers may be missing or empty, if a worker or the run has failed.
	Ask(questions [][]byte, own func(question []byte) (answer []byte)) (answers [][]byte)
}

// Helping is a LongLoading in whose preparations other workers take part.
type Helping interface {
	LongLoading
	// Help returns the function with which another worker answers the questions of the preparations.
	// Rank 0 has given the data to Helpers.Begin.
	Help(data []byte, l Loading) (answer func(question []byte) []byte, err error)
}

// mostHelpers bounds the number of workers. Some answers are not used, and on a busy machine they take time.
const mostHelpers = 8

// beginHelp returns the function of Help, or a function without answers.
func beginHelp(w Helping, data []byte, l Loading) func([]byte) []byte {
	answer, err := w.Help(data, l)
	if err != nil {
		return answerNothing
	}
	return answer
}

// answerNothing has no answers.
func answerNothing([]byte) []byte { return nil }

// answerPart answers the questions of one of size workers, and stores the answers.
func answerPart(questions [][]byte, worker, size int, answer func([]byte) []byte, answers [][]byte) {
	for i := worker; i < len(questions); i += size {
		answers[i] = answer(questions[i])
	}
}
