package live

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// guard refuses requests that do not come from the page or from a user of this host. A page of
// another site could otherwise read the search through the user's browser (DNS rebinding: a name of
// the attacker resolves to this host).
type guard struct {
	name  string   // of the host, for the URL
	names []string // names of this host in requests, besides numeric addresses
	token string   // ""; or every request must have it
}

// newGuard returns the guard of a server that listens on a host's address. Other hosts can reach an
// address other than loopback, and other users of this host can reach every address. A token is
// therefore needed for other addresses, and for pages that can stop the search.
func newGuard(host string, address net.Addr, control bool) guard {
	g := guard{name: host, names: []string{"localhost"}}
	ip := net.IPv4zero
	if tcp, ok := address.(*net.TCPAddr); ok {
		ip = tcp.IP
	}
	if ip.IsLoopback() && !control {
		return g
	}
	g.token = rand.Text()
	if ip.IsLoopback() {
		return g
	}
	if own, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(own, ".")
		g.names = append(g.names, strings.ToLower(own), strings.ToLower(short))
		if ip.IsUnspecified() {
			g.name = own
		}
	}
	if host != "" {
		g.names = append(g.names, strings.ToLower(host))
	}
	return g
}

// protect returns a handler that answers only permitted requests, with headers that forbid a page
// to load anything from elsewhere, to be framed, and to be stored.
func (g *guard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !g.knowsHost(r.Host):
			http.Error(w, "the Host header names another host", http.StatusForbidden)
		case !isOwnOrigin(r), comesFromElsewhere(r):
			http.Error(w, "the request comes from a page of another site", http.StatusForbidden)
		case !g.hasToken(r):
			http.Error(w, "the token in the URL is missing or wrong", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// knowsHost reports whether a Host header names this host. A numeric address is not a name that an
// attacker could have chosen. Ports may differ: a tunnel has its own.
func (g *guard) knowsHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	return net.ParseIP(name) != nil || slices.Contains(g.names, name)
}

// isOwnOrigin reports whether a request has no Origin header, or the origin of the page.
func isOwnOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && u.Scheme == "http" && strings.EqualFold(u.Host, r.Host)
}

// comesFromElsewhere reports whether a page of another site or port has made a request, by the headers
// of a browser. A link to the page itself is permitted: the other page cannot read the answer. A browser
// sends no Origin header with the requests of an image or a script, but it sends Sec-Fetch-Site
// (Fetch Metadata Request Headers, W3C, section 2). Programs send neither.
func comesFromElsewhere(r *http.Request) bool {
	h := r.Header
	switch h.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	isLink := r.Method == http.MethodGet && r.URL.Path == "/" && h.Get("Sec-Fetch-Mode") == "navigate" && h.Get("Sec-Fetch-Dest") == "document"
	return !isLink
}

// hasToken reports whether a request has the token, if one is necessary.
func (g *guard) hasToken(r *http.Request) bool {
	return g.token == "" || subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("token")), []byte(g.token)) == 1
}
