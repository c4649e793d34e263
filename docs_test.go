package mailfault

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var publicPackages = []string{
	"smtpcode", "dsn", "ndr", "ndr/messagetrace", "dnscheck", "dmarcreport",
	"dmarcreport/history", "dmarcreport/history/digest", "dmarcreport/history/sqlstore", "dmarcreport/history/storetest",
}

// Everything that go doc lists says what it is, and begins with its name, as
// tools expect; nothing sends the reader into a source file.
func TestEveryExportedNameHasItsComment(t *testing.T) {
	sourceFile := regexp.MustCompile(`\b\w+\.go\b`)
	for _, dir := range publicPackages {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if found := sourceFile.FindString(file.Doc.Text()); found != "" {
				t.Errorf("%s: the package comment sends its reader to %s", name, found)
			}
			for _, decl := range file.Decls {
				for _, missing := range undocumented(decl) {
					t.Errorf("%s: %s has no comment that begins with its name", fset.Position(decl.Pos()), missing)
				}
			}
		}
	}
}

// undocumented returns the exported names of a declaration that no comment
// belongs to. A group of constants or variables may have one for all.
func undocumented(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) && !strings.HasPrefix(d.Doc.Text(), d.Name.Name+" ") {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				text := strings.TrimPrefix(d.Doc.Text()+s.Doc.Text(), "A ")
				if s.Name.IsExported() && !strings.Contains(text, s.Name.Name+" ") {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				if s.Names[0].IsExported() && d.Doc.Text()+s.Doc.Text()+s.Comment.Text() == "" && !enumerated(d) {
					names = append(names, s.Names[0].Name)
				}
			}
		}
	}
	return names
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	name, ok := expr.(*ast.Ident)
	return ok && name.IsExported()
}

// enumerated reports whether the constants are the values of a type, whose
// comment lists them: see TestEnumerationsListTheirTexts.
func enumerated(d *ast.GenDecl) bool {
	first, ok := d.Specs[0].(*ast.ValueSpec)
	return ok && d.Tok == token.CONST && first.Type != nil
}
