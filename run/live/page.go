package live

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
)

//go:embed page.html
var page []byte

// pagePolicy permits the page its own script and style, and requests to its own server, and nothing
// else. Markup that gets into the page by mistake cannot run.
var pagePolicy = "default-src 'none'; script-src '" + digestOf("script") + "'; style-src '" + digestOf("style") +
	"'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// digestOf returns the digest of the page's only element of a name, as policies write it.
func digestOf(element string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+element+">"))
	text, _, _ := bytes.Cut(rest, []byte("</"+element+">"))
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// servePage answers GET /.
func servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(page) // an error means that the client has left
}
