// Phrases that read like a translation, with better ones. docs/glossary.md has the terms for Weft's concepts.

export interface Phrase {
  readonly pattern: RegExp;
  /** The better phrase. */
  readonly instead: string;
}

const phrases: readonly (readonly [pattern: string, instead: string])[] = [
  // Fragments that take the place of a subject.
  [
    "(?<=^\\s*|[.!?;:] )(?-i:Of)\\b(?! course)|(?<=: )of (a|an|the|each|one|it|all|those|what)\\b",
    "start with the subject",
  ],
  ["(?<=^\\s*|[.!?] )The same\\b", "name the subject"],
  ["\\b(what|which|who) (is|are|was|were) (told|said|heard|asked for|given back|at hand)\\b", "name the thing"],
  ["\\bwhat (becomes|became|comes|came) of\\b", "what happens to, the result of"],
  ["\\bwho(ever)? asks\\b|\\bwhoever\\b", "the caller, the user, anyone who"],
  // Passives without an actor.
  ["\\b(is|are|was|were|be) told\\b", "is reported, receives, learns"],
  ["\\b(is|are|was|were) (heeded|had)\\b", "is applied, is honored"],
  ["\\bheed(s|ed)?\\b", "apply, honor"],
  ["\\bput right\\b", "fix"],
  // Verbs and prepositions of this style.
  ["\\b(stands|stood)\\b(?! (for|out))", "is, is in, appears in, contains"],
  [
    "\\bstand (in|at|on|here|there|inside|behind|between|among|before|below|above|alone)\\b",
    "is in, appears in, contains",
  ],
  ["\\bbeside\\b", "next to, in addition to"],
  ["\\b(goes|go|went|gone|going) on\\b", "continue, keep running"],
  ["\\b(takes?|took|taken|taking) up\\b", "resume, reattach"],
  ["\\b(takes?|took|taking) over\\b|\\b(is|are|was|were|be|been) taken over\\b", "reuse"],
  ["\\b(gives?|gave|given|giving) back\\b", "return, release"],
  ["\\bat hand\\b", "available"],
  ["\\ba word of (its|their) own\\b", "separately"],
  ["\\b(hears?|heard) (of|from)\\b", "receive, be notified"],
  ["\\b(lies|lie|lay|lying) (beside|between|there|below|in it|where)\\b", "is in, is next to"],
  ["\\blets? go of\\b|\\b(is|are|was|were|be) let go\\b", "release"],
  ["\\b(it|they|that) still holds?\\b|\\bwhere (it|they) holds?\\b", "still valid"],
  ["\\bbe it\\b", "whether"],
  ["\\breckon(s|ed|ing)?\\b", "calculate"],
  ["\\bas (often|long|much) as one likes\\b", "repeatedly, indefinitely"],
  ["\\bwithout end\\b", "forever, indefinitely"],
  ["\\bto (its|their) ends?\\b", "finish"],
  ["\\bnothing (more|else) (starts|is started)\\b", "no more jobs start"],
  ["\\bnothing is left of\\b", "all processes have stopped"],
  ["\\bof ours\\b", "our, or the name of the thing"],
  ["\\bmistake of\\b", "internal error"],
  ["\\b(more|other|all) there is\\b", "all"],
  ["\\bin the very\\b", "exactly when"],
  ["\\b(in|out of) sight\\b", "visible, hidden"],
  ["\\b(anew|once more)\\b", "again"],
  ["\\ball the same\\b", "nevertheless, still"],
  ["\\banswers with\\b", "returns"],
  ["\\b(is|are) wanted\\b", "is selected, is required"],
  ["\\bthe very (?!first|last|beginning|end)[a-z]+", "exactly the"],
  ["\\bcomes? to (an|its) end\\b", "ends"],
  // “no X” with the meaning “not an X”.
  [
    "(?<!\\bthere )\\b(is|are|was|were) no (?!longer|more\\b|less|other|such|way|need|reason|match|doubt)[a-z-]+(?=\\s*([.,:;)]|$|(that|and|or|of|in|to)\\b))",
    "is not a",
  ],
  ["\\b(who|which|that|it) (is|are) no (?!longer|more|less|such|way|need|reason)[a-z]+", "is not a"],
  ["\\b(file|address|addresse|image|name)s? of the (web|run)\\b", "http(s) URL, remote file, run name"],
  ["[“”„]", 'straight quotation marks: "…"'],
  // Invented terms for concepts that have a name (docs/glossary.md).
  ["\\btries of\\b", "attempts, retries"],
  ["\\bplaces? of (its|their|the) (results?|outputs?)\\b", "output destination"],
  ["\\bclosed[ -]in\\b", "sandboxed"],
  ["\\bleftovers?\\b", "remaining files, remaining processes"],
  ["\\b(enough|kept|more|makes?|the|is) room\\b|\\broom (for|again)\\b", "space, capacity, reservation"],
  ["\\blanes?\\b", "row, queue, worker"],
  ["\\bnews\\b", "updates, events"],
  ["\\btroubles?\\b", "problem, failure, error"],
  [
    "\\b(networks?|tools?|runs?|services?|documents?|files?|servers?|programs?) of (others|strangers)\\b",
    "third-party, another user’s",
  ],
  ["\\b(a|one|each|every|some)body (was|is) to have\\b", "must have"],
  // Slips that a reader stumbles over.
  ["\\b(the|an?|of|to|and|is|are|in|on|for|with) \\1\\b", "remove the repeated word"],
  ["\\ba (?-i:(?!one|once|eu|u[bnrst]|use|uid|uuid)[aeiou][a-z]+)", "an"],
  ["\\ban (?-i:(?!h(our|onest|eir|ttps?\\b)|x|ssh|sbatch|squeue|nginx|npm)[bcdfghjklmnpqrstvwxyz][a-z]+)", "a"],
];

/** `pattern`: global and without regard to case; a space in it matches any white space. */
export const VOCABULARY: readonly Phrase[] = phrases.map(([pattern, instead]) => ({
  pattern: new RegExp(pattern.replaceAll(" ", "\\s+"), "gi"),
  instead,
}));
