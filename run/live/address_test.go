package live

import "testing"

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1:0": "127.0.0.1:0", "8080": "127.0.0.1:8080", ":8080": ":8080", "localhost": "localhost:0",
		"0.0.0.0": "0.0.0.0:0", "[::1]:80": "[::1]:80", "::1": "[::1]:0", "node7:9000": "node7:9000",
	} {
		if got, err := ParseAddress(text); got != want || err != nil {
			t.Errorf("%q is %q, %v; expected %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "99999", "host:-1", "host:99999", "host:nonsense"} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// Words with a port are addresses. Names of files and other arguments are not, and every address is one
// that ParseAddress accepts, unless its port is too large.
func TestLooksLikeAddress(t *testing.T) {
	for _, word := range []string{"127.0.0.1:0", ":8080", "localhost:80", "node-7.site_2:9000", "[::1]:80", "[fe80::1%eth0]:1"} {
		if _, err := ParseAddress(word); !LooksLikeAddress(word) || err != nil {
			t.Errorf("%q is no address (%v)", word, err)
		}
	}
	if !LooksLikeAddress("host:99999") {
		t.Error("an address with a port that is too large is taken for an argument")
	}
	for _, word := range []string{
		"", ":", "8080", "localhost", "host:", "host:http", "host:-1", "host:+1", "./host:80", "dir/host:80", "a b:80", "-:", "x.cnf",
		"::1", "::1:80", "a:b:80", "[::1]", "[::1:80", "[127.0.0.1]:80", "[]:80", "[x]:80", "é:80", "host:８０", "http://host:80", "host:80\n",
	} {
		if LooksLikeAddress(word) {
			t.Errorf("%q is an address", word)
		}
	}
}
