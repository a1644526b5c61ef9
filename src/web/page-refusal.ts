// What pages refuse: a page says it in words of its own, and a script reads it as from the API.

import { problemOf, Refusal } from '../core/errors.ts'
import { NamedError } from '../core/named-error.ts'

/** A refusal with a text that the browser's user sees as it is. */
export class PageRefusal extends NamedError {
  readonly status: number
  readonly title: string

  constructor(status: number, title: string, message: string) {
    super(message)
    this.status = status
    this.title = title
  }
}

/** A form lacks a field that its page has filled in. */
export function incompleteForm(): PageRefusal {
  return new PageRefusal(400, 'The form is incomplete', 'Open the page again.')
}

interface ShownProblem {
  readonly status: number
  readonly title: string
  readonly message: string
}

/** The API's catalogue lacks what only pages refuse, but it has a code for most statuses. */
const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'wrong_state',
  410: 'gone',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
}

/** The answer of a page to a script. The title is that of the page which says the same. */
export function pageProblem(
  error: unknown,
  { status, title, message }: ShownProblem,
  requestId: string,
) {
  const code = error instanceof Refusal ? error.code : (CODES[status] ?? 'invalid_request')
  return { ...problemOf({ code, message }, requestId), title }
}
