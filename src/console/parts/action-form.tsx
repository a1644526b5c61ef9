// A form that changes something: it carries the token of the session that it was shown to.

import type { ComponentChildren } from 'preact'
import type { Operator } from '../../operators/session.ts'
import { FORM_TOKEN } from '../who.ts'

interface ActionFormProps {
  readonly to: string
  readonly operator: Operator
  readonly class?: string
  /** What the browser asks before it sends the form; for what cannot be undone. */
  readonly asks?: string
  readonly children: ComponentChildren
}

export function ActionForm({ to, operator, asks, children, class: kind }: ActionFormProps) {
  return (
    <form method="post" action={to} class={kind} data-asks={asks}>
      <input type="hidden" name={FORM_TOKEN} value={operator.formToken} />
      {children}
    </form>
  )
}
