# Short names for the scripts, which do the work.
.PHONY: install build lint test bench clean

build install lint test bench:
	./scripts/$@

clean:
	rm -rf bin out
