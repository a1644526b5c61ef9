// What a migration may do while the version before it is still running: it adds, and removes only
// in the release after. A migration that restricts writes says why old writers are compatible.

interface Rule {
  readonly forbids: RegExp
  readonly fault: string
}

const LATER = 'the version before still uses it: take it away in the release after'

const RULES: readonly Rule[] = [
  { forbids: /\bDROP\s+(COLUMN|TABLE|VIEW|TYPE|FUNCTION)\b/i, fault: `drops: ${LATER}` },
  { forbids: /\bRENAME\b/i, fault: `renames: ${LATER}` },
  {
    forbids: /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
    fault: `changes a type: ${LATER}`,
  },
  { forbids: /\bSET\s+NOT\s+NULL\b/i, fault: 'makes a column NOT NULL: old writers leave it out' },
  {
    forbids:
      /\bADD\s+COLUMN\b(?:(?!\bDEFAULT\b)[^,;])*\bNOT\s+NULL\b(?!(?:(?!,|;).)*\bDEFAULT\b)/is,
    fault: 'adds a column NOT NULL without a default: old writers leave it out',
  },
]

/** Each of these may refuse the writes of an old process. */
const NARROWS = /\bADD\s+CONSTRAINT\b|\bCREATE\s+(OR\s+REPLACE\s+)?TRIGGER\b|\bCREATE\s+UNIQUE\b/i

/** A sentence by a person who has considered it. */
const ACCOUNT = /^-- Old writers: \S.{20,}/m

export function migrationFaultsOf(sql: string): readonly string[] {
  const bare = sql.replace(/--[^\n]*/g, '')
  const faults = RULES.filter(({ forbids }) => forbids.test(bare)).map(({ fault }) => fault)
  const isUnaccounted = NARROWS.test(bare) && !ACCOUNT.test(sql)
  return isUnaccounted
    ? [...faults, 'narrows what may be written: say "-- Old writers: …", why theirs fits in']
    : faults
}
