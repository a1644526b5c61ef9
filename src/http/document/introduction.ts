// The introduction of the document: the rules of every operation.

import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors.ts'

/**
 * Errors of requests that come to no operation: other paths, such as the callbacks of providers,
 * and what arrives broken or too slowly.
 */
export const GENERAL_CODES: readonly ErrorCode[] = [
  'not_found',
  'method_not_allowed',
  'invalid_signature',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
]

/** Markdown with one line for each paragraph, because the page shows every line end as a break. */
export function introduction(): string {
  return [...LINES, ...errorTable()].join('\n')
}

const LINES = [
  'Every charge is made once. JSON in, JSON out; success is 200, creation included.',
  '',
  '## Keys',
  '',
  'Every request carries `Authorization: Bearer <key>`. A key belongs to one account, the sandbox or the live one of a team; a sandbox key uses a test gateway and moves no money. An id of another account is answered exactly like an unknown one. Operations that move money, and all under `/transaction`, need an active and enabled team.',
  '',
  '## Idempotency',
  '',
  'A request that creates something or moves money takes an `Idempotency-Key` (or the field `idempotency_id`), up to 255 characters. The same key with the same request gets the same answer again, with `Idempotent-Replayed: true`, at any time later; while the first request is under way the repeat waits for it. Another request with the same key is refused. A request that failed validation does not use up its key. So a request without an answer, or with a 429 or 503, can be sent again.',
  '',
  'A charge, a payment of an invoice, a void, a refund and a capture return once the gateway has responded: approved 200, declined 400 with the transaction as the body. An operation that takes longer than the wait (10 seconds, unless the operator has set another) returns 200 with `"status": "PENDING"` and continues; `GET /transaction/{id}` shows its outcome. With `Prefer: respond-async` the answer is 202 at once, with `Location`.',
  '',
  '## Values',
  '',
  '- Money is a decimal in major units, `12.5` or `"12.50"`, from 0.01 to 99999999.99 with two decimals at most; never rounded. The currency is USD.',
  '- Ids are UUIDs; those of payment links are 32 hexadecimal characters.',
  '- Time is answered as `2026-03-07T12:00:00.000Z`, and read as ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` in UTC; only the start of a scheduled invoice is on the wall clock of its zone. A date alone at the end of a span includes that whole day.',
  '- `meta` is any JSON object of yours up to 16 KiB. An update replaces all of it; absent fields of the resource stay as they are.',
  '- `null` is the same as an absent field, and so is `""` for an optional text, but not for an id or an amount. In an update both leave the field as it is. To empty one: 0 for the `amount` of a payment link and the `price` of an item, and `remove` with the names of other fields, where a change has it.',
  '- A list holds at most 1,000 items and a body 20,000 values; an answer names at most 100 faults. An object with the same name twice is refused, and so are the key `__proto__`, and `prototype` within `constructor`.',
  '- Unknown fields of a body are ignored, except where money is moved (void, refund, void-or-refund, capture, pay): there they are refused. The header `Ignored-Fields` of the answer, also of a refusal, names those that were ignored. Unknown query parameters are refused, since a misspelt filter would list everything.',
  '- The number of a card or a bank account is refused in names, notes and addresses, and in `meta` if the field’s name or the grouping of its digits shows that it is one. References and ids may have any digits.',
  '',
  '## Dialect',
  '',
  'A key may be set to another dialect, so that a client of another API of this kind works with it unchanged. In the answers to such a key an instant is `2026-03-07 12:00:00` in UTC, `is_captured` and `is_default` are 0 or 1, `card_exp` is `MMYYYY`, every resource also has `merchant_id` (the id of the account) and `user_id` (null), and `GET /self` a `merchant` and a `user`. Lists as files follow it in their columns. A webhook keeps the dialect of the key that created it: its bodies are in it, and a second header names the event. Requests, errors, and what you wrote (`meta`, `link_meta`) are the same in every dialect. The schemas of this document are the standard form.',
  '',
  '## Days',
  '',
  'A successful payment joins the batch of its day, which closes at 8 pm Eastern, or at the account’s own cutoff in its own zone. A charge can be voided until its batch closes, and refunded afterwards; in the sandbox from the next midnight Eastern. The deposit follows at 9 am on the next weekday; for a live account it comes with the payouts of its gateway.',
  '',
  'A sandbox account can have a clock of its own, `/sandbox/clock`. The clock stops between calls. Advancing it does all work that falls due until the new time: batches, deposits, scheduled invoices, retries, deadlines. The request returns once that is done, or after the wait of a charge, still `advancing`, or with `Prefer: respond-async` at once. Meanwhile GET requests work, and every other request of the account is 409 `clock_advancing`.',
  '',
  '## Lists',
  '',
  '`page` (from 1), `limit` or `per_page` (1 to 200, 50 when absent), `sort` and `order` (`ASC` or `DESC`; the newest first when absent). Nulls sort last, and rows with equal values by id. If rows are added while you read the pages from the newest, some rows come twice; with `order=ASC` each comes once. `next_page_url` and `prev_page_url` keep the query. An empty filter (`?start_date=`) is no filter, as an empty optional text is absent everywhere; only an empty id, amount or number is refused. The clients for TypeScript and Python refuse every empty filter.',
  '',
  '## Rate limit',
  '',
  'Each key has a number of requests a minute (100, unless the account has its own), in a window that begins with its first request. Every answer to a valid key says in `RateLimit` and `RateLimit-Policy` how many are left, also that of a path or a method that does not exist. A request above the limit is 429 with `Retry-After` in seconds.',
  '',
  '## Versions',
  '',
  'Paths and headers have no version. Answers only gain fields; a breaking change is announced in the changelog and in the version of this document.',
  '',
]

function errorTable(): readonly string[] {
  const rows = Object.entries(ERROR_CATALOGUE).map(
    ([code, { status, message, remedy }]) => `| \`${code}\` | ${status} | ${message} | ${remedy} |`,
  )
  return [
    '## Errors',
    '',
    '`error` is a code that never changes; `message` is for people; `errors` names the faulty fields of a part, all at once, nested ones dotted (`funding.1.amount`); a card, a bank account, a recurrence rule with its start and zone, an address for events, and fields that do not fit together are read only once every field has its right form. `X-Request-Id` is yours, or the service makes one; it is the `request_id` of an error. Any path may answer 404 `not_found` or, with `Allow`, 405 `method_not_allowed`.',
    '',
    '| `error` | status | means | remedy |',
    '|---|---|---|---|',
    ...rows,
  ]
}
