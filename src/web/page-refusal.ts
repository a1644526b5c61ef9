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
