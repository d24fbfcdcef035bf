package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Page is an open page.
type Page struct {
	browser  *Browser
	session  string
	requests []string // addresses that the page has requested
	errors   []string // errors of scripts and of the page's policy
}

// Window is how a page is shown.
type Window struct {
	Width, Height int
	Dark          bool
}

// Open opens an address in a new page of its own.
func (b *Browser) Open(url string, w Window) (*Page, error) {
	var target struct{ TargetID string }
	if err := b.decode("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	if err := b.decode("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p := &Page{browser: b, session: attached.SessionID}
	b.mu.Lock()
	b.pages[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		if _, err := p.call(domain+".enable", map[string]any{}); err != nil {
			return nil, err
		}
	}
	if err := p.Resize(w); err != nil {
		return nil, err
	}
	_, err := p.call("Page.navigate", map[string]any{"url": url})
	return p, err
}

// Resize sets how the page is shown.
func (p *Page) Resize(w Window) error {
	scheme := "light"
	if w.Dark {
		scheme = "dark"
	}
	if _, err := p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}); err != nil {
		return err
	}
	_, err := p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": w.Width, "height": w.Height, "deviceScaleFactor": 1, "mobile": false})
	return err
}

// Close closes the page.
func (p *Page) Close() error {
	_, err := p.call("Page.close", map[string]any{})
	return err
}

func (p *Page) call(method string, params any) (json.RawMessage, error) {
	return p.browser.call(p.session, method, params)
}

// decode calls a method and decodes its result.
func (b *Browser) decode(session, method string, params, result any) error {
	data, err := b.call(session, method, params)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, result)
}

// noteEvent notes an event of the page. The browser's lock is held.
func (p *Page) noteEvent(m *message) {
	var e struct {
		Request          struct{ URL string }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		Entry struct{ Level, Text string }
	}
	if json.Unmarshal(m.Params, &e) != nil {
		return
	}
	switch m.Method {
	case "Network.requestWillBeSent":
		p.requests = append(p.requests, e.Request.URL)
	case "Runtime.exceptionThrown":
		p.errors = append(p.errors, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case "Log.entryAdded":
		if e.Entry.Level == "error" {
			p.errors = append(p.errors, e.Entry.Text)
		}
	}
}

// Requests returns the addresses that the page has requested, without data: addresses.
func (p *Page) Requests() (all []string) {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	for _, url := range p.requests {
		if !strings.HasPrefix(url, "data:") {
			all = append(all, url)
		}
	}
	return all
}

// Errors returns the errors of scripts and of the page's policy so far.
func (p *Page) Errors() []string {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	return append([]string(nil), p.errors...)
}

// Eval evaluates an expression in the page and decodes its value, which may be nil.
func (p *Page) Eval(expression string, value any) error {
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := p.browser.decode(p.session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("%s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if value == nil || len(r.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(r.Result.Value, value)
}

// Await waits until an expression is true in the page, at most for a time.
func (p *Page) Await(expression string, most time.Duration) error {
	for end := time.Now().Add(most); ; time.Sleep(50 * time.Millisecond) {
		var ok bool
		// An error may mean that the page is still loading.
		err := p.Eval("!!("+expression+")", &ok)
		if ok {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("after %v the page has not reached %s (%v)", most, expression, err)
		}
	}
}

// Screenshot returns the window as a PNG picture, or the whole page if whole is set.
func (p *Page) Screenshot(whole bool) ([]byte, error) {
	var r struct{ Data string }
	if err := p.browser.decode(p.session, "Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole}, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}

// Move moves the pointer to a point of the window.
func (p *Page) Move(x, y float64) error { return p.mouse("mouseMoved", x, y, nil) }

// Press, Release and Click act with the main button of the pointer.
func (p *Page) Press(x, y float64) error {
	return p.mouse("mousePressed", x, y, map[string]any{"button": "left", "clickCount": 1, "buttons": 1})
}

// Release releases the main button.
func (p *Page) Release(x, y float64) error {
	return p.mouse("mouseReleased", x, y, map[string]any{"button": "left", "clickCount": 1})
}

// Drag moves the pointer while the main button is pressed.
func (p *Page) Drag(x, y float64) error {
	return p.mouse("mouseMoved", x, y, map[string]any{"button": "left", "buttons": 1})
}

// Wheel turns the wheel by a number of pixels at a point.
func (p *Page) Wheel(x, y, by float64) error {
	return p.mouse("mouseWheel", x, y, map[string]any{"deltaX": 0, "deltaY": by})
}

func (p *Page) mouse(kind string, x, y float64, more map[string]any) error {
	params := map[string]any{"type": kind, "x": x, "y": y}
	for k, v := range more {
		params[k] = v
	}
	_, err := p.call("Input.dispatchMouseEvent", params)
	return err
}

// Key presses and releases a key, by its name in the DOM, such as ArrowLeft or +.
func (p *Page) Key(name string) error {
	for _, kind := range []string{"keyDown", "keyUp"} {
		if _, err := p.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name}); err != nil {
			return err
		}
	}
	return nil
}

// Click clicks on the middle of the first element that a selector names.
func (p *Page) Click(selector string) error {
	at := [2]float64{}
	find := fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "nearest"}); const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`, selector)
	if err := p.Eval(find, &at); err != nil {
		return err
	}
	if err := p.Press(at[0], at[1]); err != nil {
		return err
	}
	return p.Release(at[0], at[1])
}
