package dsn

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Other programs loop over lists without asking whether they are there.
func TestAbsentListsAreEmptyInJSON(t *testing.T) {
	files, err := filepath.Glob("testdata/mta/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	values := []any{
		Report{}, &Report{Recipients: []Recipient{{}}, Disposition: &Disposition{}, Feedback: &Feedback{}},
		Thread{}, &Thread{}, ReturnPath{}, Origin{}, OriginalAddress{}, []OriginalAddress{{}},
	}
	for _, file := range files {
		mail, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Read(mail)
		mail.Close()
		if err != nil {
			t.Fatal(file, err)
		}
		origin, err := report.Backscatter(context.Background(), Proof{})
		if err != nil {
			t.Fatal(file, err)
		}
		values = append(values, report, report.Thread(), report.OriginalAddresses(), origin)
	}
	nothing := regexp.MustCompile(`"(\w+)":null`)
	for _, v := range values {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range nothing.FindAllSubmatch(data, -1) {
			switch key := string(m[1]); key {
			case "disposition", "feedback", "returned": // no list: nil says that there is none
			default:
				t.Errorf("%T: %s is null", v, key)
			}
		}
	}
}

// What is written is read back.
func TestAReportSurvivesJSON(t *testing.T) {
	mail, err := os.Open("testdata/mta/postfix-several.eml")
	if err != nil {
		t.Fatal(err)
	}
	defer mail.Close()
	report, err := Read(mail)
	if err != nil {
		t.Fatal(err)
	}
	first, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(first, &again); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Errorf("%s\nbecomes\n%s", first, second)
	}
}
