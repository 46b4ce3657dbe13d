# The line feeds around the text make its first word begin and its last word end like all the others;
# the first of them leaves one empty line at the top, which tail drops.
set -eu
{ echo; cat; echo; } | tr 'A-Z' 'a-z' | tr -cs "a-z'\200-\377" '\n' | tail -n +2
