package e2e

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"treesplit/internal/browser"
)

// laptop is the window of the live page in tests.
var laptop = browser.Window{Width: 1280, Height: 900}

// openBrowser starts a browser, or skips the test.
func openBrowser(t *testing.T) *browser.Browser {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	b, err := browser.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// served matches the address of a live page.
var served = regexp.MustCompile(`live page at (http://\S+)\n`)

// livePage is the live page of a run.
type livePage struct {
	*browser.Page
	t   *testing.T
	url string
}

// pageOf returns the address of the live page of a run.
func pageOf(t *testing.T, b *background) string {
	t.Helper()
	<-b.begun
	m := served.FindStringSubmatch(b.err.String())
	if m == nil {
		t.Fatalf("no live page: %s%s", &b.out, &b.err)
	}
	return m[1]
}

// watch opens the live page of a run.
func watch(t *testing.T, in *browser.Browser, b *background) *livePage {
	t.Helper()
	url := pageOf(t, b)
	p, err := in.Open(url, laptop)
	if err != nil {
		t.Fatal(err)
	}
	return &livePage{p, t, url}
}

// await waits until an expression is true on the page.
func (p *livePage) await(expression string) {
	p.t.Helper()
	if err := p.Await(expression, 2*time.Minute); err != nil {
		var text string
		p.Eval("document.body.innerText", &text)
		p.t.Fatalf("%v\n%s", err, text)
	}
}

// click clicks on an element.
func (p *livePage) click(selector string) {
	p.t.Helper()
	if err := p.Click(selector); err != nil {
		p.t.Fatal(err)
	}
}

// tile returns the exact number of a tile.
func (p *livePage) tile(name string) float64 {
	p.t.Helper()
	var text string
	if err := p.Eval("document.getElementById('"+name+"').dataset.value", &text); err != nil {
		p.t.Fatal(err)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.t.Errorf("%s is %q", name, text)
	}
	return v
}

// fits checks that nothing is cut off at the right edge of a narrow and of a wide window.
func (p *livePage) fits() {
	p.t.Helper()
	for _, w := range []browser.Window{{Width: 380, Height: 900, Dark: true}, laptop} {
		if err := p.Resize(w); err != nil {
			p.t.Fatal(err)
		}
		p.await(fmt.Sprintf("innerWidth === %d", w.Width))
		var width int
		if err := p.Eval("document.documentElement.scrollWidth", &width); err != nil || width > w.Width {
			p.t.Errorf("the page is %d pixels wide in a window of %d (%v)", width, w.Width, err)
		}
	}
}

// compareWith compares the numbers on the page with the JSON of the run, and checks that the page has
// requested nothing from elsewhere and has no errors.
func (p *livePage) compareWith(r map[string]any) {
	p.t.Helper()
	p.await("document.body.dataset.ended")
	for tile, key := range map[string]string{"nodes": "expanded", "requests": "requests", "grants": "grants", "refusals": "rejects"} {
		if got := p.tile(tile); got != r[key] {
			p.t.Errorf("%s on the page: %v, in the JSON: %v", tile, got, r[key])
		}
	}
	p.compareCubes(r)
	p.fits()
	origin := p.url[:strings.LastIndex(p.url, "/")+1]
	for _, url := range p.Requests() {
		if !strings.HasPrefix(url, origin) {
			p.t.Errorf("the page at %s has requested %s", p.url, url)
		}
	}
	if errs := p.Errors(); len(errs) > 0 {
		p.t.Errorf("errors of the page: %q", errs)
	}
}

// The page of a simulation plays and steps in virtual time, and shows the numbers of the
// result. It changes no number of the result. A hostile name of a file is shown as text.
func TestLiveSimulation(t *testing.T) {
	t.Parallel()
	in := openBrowser(t)
	name := filepath.Join(t.TempDir(), `<img src=x onerror=alert(1)>`) + ".cnf"
	if err := os.WriteFile(name, []byte(generate(t, "php", "--n", "7")), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"sat", name, "--rule", "paper", "--machine", "ncube2", "--termination", "tree", "--json"}
	b := beginUntil(t, none, 4096, served, "", slices.Concat(args, []string{"--live", "--live-speed", "max"})...)
	// The simulation waits for the first page. It is paused before: it could end before a click on the page.
	answer, err := http.Post(pageOf(t, b)+"control?action=pause", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusNoContent {
		t.Fatalf("pause: %s", answer.Status)
	}
	p := watch(t, in, b)
	p.await("document.getElementById('status').textContent === 'paused'")
	var before, after float64
	if err := p.Eval("columns.length", &before); err != nil {
		t.Fatal(err)
	}
	p.click("#step")
	p.await("columns.length > 0")
	if err := p.Eval("columns.length", &after); err != nil || before != 0 || after != 1 {
		t.Errorf("a step from %v columns to %v, %v: expected from 0 to 1", before, after, err)
	}
	p.click("#play")
	status := b.ends(t, 2*time.Minute)
	r := object(t, outcome{status: status, stdout: b.out.String()}, 20)
	p.compareWith(r)
	if got := p.tile("virtual"); math.Abs(got-r["seconds"].(float64)) > 1e-12 {
		t.Errorf("%v s on the page, %v s in the JSON", got, r["seconds"])
	}
	var verdict, command string
	var images, rows float64
	for expression, value := range map[string]any{
		"document.getElementById('verdict').textContent": &verdict, "document.getElementById('command').textContent": &command,
		"document.images.length": &images, "run.rows": &rows,
	} {
		if err := p.Eval(expression, value); err != nil {
			t.Fatal(err)
		}
	}
	if verdict != "UNSATISFIABLE" || !strings.Contains(command, filepath.Base(name)) || images > 0 || rows != 64 {
		t.Errorf("verdict %q, command %q, %v images, %v rows", verdict, command, images, rows)
	}
	alone := object(t, runIn(t, none, 4096, "", args...), 20)
	for _, key := range []string{"expanded", "requests", "grants", "messages", "seconds"} {
		if r[key] != alone[key] {
			t.Errorf("%s: %v with the page, %v without", key, r[key], alone[key])
		}
	}
}

// A click pauses a simulation. This one plays so slowly that it does not end before.
func TestLivePause(t *testing.T) {
	t.Parallel()
	in := openBrowser(t)
	p := watch(t, in, beginUntil(t, none, 16, served, "", "uts", "--machine", "ncube2", "--live", "--live-speed", "1e-9x"))
	p.await("document.getElementById('pause').getAttribute('aria-disabled') === 'false'")
	p.click("#pause")
	p.await("document.getElementById('status').textContent === 'paused'")
}

// On the page a user saves and stops a search. A page that was closed and opened again shows the
// columns of before.
func TestLiveControl(t *testing.T) {
	t.Parallel()
	in := openBrowser(t)
	file := filepath.Join(t.TempDir(), "saved")
	b := beginUntil(t, none, 3, served, "", slices.Concat(long, []string{"--json", "--live", "--live-control", "--checkpoint", file})...)
	p := watch(t, in, b)
	p.await("columns.length > 5 && document.getElementById('nodes').dataset.value > 0")
	p.click("#save")
	p.await("document.getElementById('events').textContent.includes('Checkpoints written: 1')")
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	p = watch(t, in, b)
	p.await("columns.length > 5 && columns[0].from === 0")
	p.click("#stop")
	status := b.ends(t, time.Minute)
	r := object(t, outcome{status: status, stdout: b.out.String()}, 3)
	p.compareWith(r)
	if r["reason"] != "interrupted" {
		t.Errorf("the reason is %v", r["reason"])
	}
}

// A rank that is stopped is shown as silent, and no longer when it continues.
func TestLiveSilentRank(t *testing.T) {
	t.Parallel()
	needProc(t)
	in := openBrowser(t)
	ranks, search := 4, paced
	if whole() {
		ranks, search = 64, slices.Concat(long, []string{"--pace", "20ms"}) // their start takes 15 to 25 s of CPU time
	}
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		b := beginUntil(t, l, ranks, served, "", slices.Concat(search, []string{"--json", "--live", "--live-control"})...)
		p := watch(t, in, b)
		p.await("columns.length > 5")
		victim := b.rank(t, 2)
		if err := victim.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		p.await("document.getElementById('events').textContent.includes('Rank 2 is silent') && columns.at(-1).cells[8] === 255")
		victim.Signal(syscall.SIGCONT)
		p.await("!document.getElementById('events').textContent.includes('Rank 2 is silent') && columns.at(-1).cells[8] <= 100")
		p.click("#stop")
		b.ends(t, time.Minute)
		p.compareWith(object(t, outcome{stdout: b.out.String()}, 0))
	})
}
