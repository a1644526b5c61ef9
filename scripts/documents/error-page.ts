// docs/errors.md: the catalogue by status, with the operations that answer with each code.

import { ERROR_CATALOGUE, type ErrorCode } from '../../src/core/errors.ts'
import { GENERAL_CODES } from '../../src/http/document/introduction.ts'
import { codesOf, type Named, operationsOf } from './operations.ts'
import type { ApiDocument } from './service-document.ts'

const HEAD = `# Errors

<!-- Made by \`npm run openapi\`; do not edit. -->

Every error of the API has one shape:

\`\`\`json
{
  "error": "invalid_request",
  "message": "total must be at least 0.01",
  "errors": { "total": ["must be at least 0.01"] },
  "request_id": "01941f29-7c00-7000-8000-000000000001"
}
\`\`\`

\`error\` is a fixed code; \`message\` is for people, and its words may change. \`errors\` is there if
fields are at fault: it names all faults of the body, or of the query, at once. Only a card, a bank
account, a recurrence rule with its start and zone, an address for events, and fields that do not fit
together are read later, once every field has its right form. Nested fields are dotted, as in
\`funding.1.amount\`. \`request_id\` is the answer's \`X-Request-Id\`: send it to the operator.

After 429 and 503, and where no answer came at all, the same request may be sent again with the same
\`Idempotency-Key\`: nothing happens twice.

A payment that the gateway declined is no error of the request: it is 400 with the transaction as the
body, \`"status": "FAILED"\`, and the gateway's reason in \`message\`.`

type Status = (typeof ERROR_CATALOGUE)[ErrorCode]['status']

const TITLES: Readonly<Record<Status, string>> = {
  400: 'the request is wrong',
  401: 'the key is wrong',
  403: 'the team may not',
  404: 'it is not there',
  405: 'the path has no such method',
  408: 'too slow',
  409: 'its state does not allow it',
  413: 'too large',
  415: 'not JSON',
  417: 'an expectation that cannot be met',
  429: 'too many requests',
  431: 'the headers are too large',
  500: 'our fault',
  503: 'not now',
}

/** A longer list would not be read. */
const MOST_NAMED = 5

export function errorPage(document: ApiDocument): string {
  const entries = Object.entries(ERROR_CATALOGUE) as [
    ErrorCode,
    (typeof ERROR_CATALOGUE)[ErrorCode],
  ][]
  const statuses = [...new Set(entries.map(([, { status }]) => status))].sort((a, b) => a - b)
  const sections = statuses.map((status) => {
    const rows = entries
      .filter(([, entry]) => entry.status === status)
      .map(
        ([code, { message, remedy }]) =>
          `| \`${code}\` | ${message} | ${remedy} | ${answeredBy(document, code)} |`,
      )
    const title = `## ${status}: ${TITLES[status]}`
    return [title, '', '| `error` | Means | Remedy | Answered by |', '|---|---|---|---|', ...rows]
  })
  return `${[HEAD, ...sections.map((lines) => lines.join('\n'))].join('\n\n')}\n`
}

function answeredBy(document: ApiDocument, code: ErrorCode): string {
  if (GENERAL_CODES.includes(code)) return 'any path'
  const all = operationsOf(document)
  const answering = all.filter(({ operation }) => codesOf(operation).includes(code))
  const isAnsweredBy = (those: readonly Named[]) => those.every((one) => answering.includes(one))
  const keyed = all.filter(({ operation }) => operation.security.length > 0)
  if (isAnsweredBy(keyed)) return 'every operation with a key'
  if (isAnsweredBy(keyed.filter(({ operation }) => operation.requestBody !== undefined))) {
    return 'every operation with a body'
  }
  if (answering.length > MOST_NAMED) return `${answering.length} operations`
  return answering.map(({ method, path }) => `\`${method} ${path}\``).join(', ')
}
