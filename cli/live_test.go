package cli

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"treesplit/run"
	"treesplit/run/live"
	"treesplit/run/observe/feed"
)

// The hooks of a run reach its page, which is opened after they are connected: the totals of earlier runs, and the
// reason why requests for a checkpoint are refused.
func TestHooksReachThePage(t *testing.T) {
	j := &job{}
	j.live = liveOptions{flag: &pflag.Flag{Changed: true}, address: live.DefaultAddress, control: true, board: new(feed.Board)}
	j.plan.Checkpoint = "checkpoint"
	var page livePage
	var h run.Hooks
	page.connect(j, &h)
	if err := page.open(&app{stderr: io.Discard}, j); err != nil {
		t.Fatal(err)
	}
	defer page.end(nil)
	h.Resumed(run.Totals{Requests: 5, Grants: 3, Rejects: 2})
	if totals := j.live.board.Totals(); totals.Requests != 5 || totals.Grants != 3 || totals.Refusals != 2 {
		t.Errorf("%+v", totals)
	}
	h.SavesLose("work is lost")
	answer, err := http.Post(strings.Replace(page.URL(), "/?", "/control?action=save&", 1), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); answer.StatusCode != http.StatusForbidden || string(text) != "work is lost\n" || err != nil {
		t.Errorf("status %d, %q, %v", answer.StatusCode, text, err)
	}
}
