// Explain says why a mail was not delivered and who can fix it.
package main

func main() {}
