// The forms that change something: with fields, as a card of their own, or as a button alone.

import type { ComponentChildren } from 'preact'
import { FORM_TOKEN, mayAct } from '../who.ts'
import { HiddenFields, type HiddenValues } from './fields.tsx'
import { usePageOperator } from './page-operator.ts'

interface ActionFormProps {
  readonly to: string
  readonly class?: string
  /**
   * The question that the browser asks before it sends the form, for actions that cannot be undone.
   */
  readonly asks?: string | undefined
  /** It has a field for a file. */
  readonly hasFile?: boolean
  /** What it carries besides, by name. */
  readonly fields?: HiddenValues | undefined
  readonly children: ComponentChildren
}

/**
 * A form that changes something: it carries the token of the session that it was shown to. An
 * operator whose role does not allow the action sees the form but cannot use it.
 */
export function ActionForm(props: ActionFormProps) {
  const { to, asks, hasFile, fields = {}, children, class: kind } = props
  const operator = usePageOperator()
  if (!mayAct(operator, to)) {
    return (
      <fieldset class={kind} disabled>
        {children}
        <p class="quiet hint">Your role doesn’t allow this.</p>
      </fieldset>
    )
  }
  return (
    <form
      method="post"
      action={to}
      class={kind}
      data-asks={asks}
      encType={hasFile === true ? 'multipart/form-data' : undefined}
    >
      <HiddenFields of={{ [FORM_TOKEN]: operator.formToken, ...fields }} />
      {children}
    </form>
  )
}

export type ButtonKind = 'plain' | 'plain small' | 'danger'

interface SubmitProps {
  readonly kind?: ButtonKind | undefined
  /** The page to return to without sending the form. */
  readonly cancel?: string
  readonly children: ComponentChildren
}

/** The button that ends a form of several lines. */
export function Submit({ kind, cancel, children }: SubmitProps) {
  return (
    <div class={cancel === undefined ? 'row' : 'row level'}>
      <button type="submit" class={kind}>
        {children}
      </button>
      {cancel === undefined ? null : <a href={cancel}>Cancel</a>}
    </div>
  )
}

interface ActionCardProps extends Omit<ActionFormProps, 'class' | 'children'> {
  readonly title: string
  /** The id of the title, which makes the card a region with this name. */
  readonly id?: string
  /** What the action does. */
  readonly says?: ComponentChildren
  readonly button: string
  readonly kind?: ButtonKind
  readonly class?: string
  /** The fields, if it has any. */
  readonly children?: ComponentChildren
}

/** One action on a card of its own: what it does, what it needs to know, and its button. */
export function ActionCard(props: ActionCardProps) {
  const { title, id, says, button, kind, class: look = '', children, ...form } = props
  const action = (
    <ActionForm {...form} class={`${id === undefined ? 'card ' : ''}stack ${look}`.trimEnd()}>
      <h2 id={id}>{title}</h2>
      {says === undefined ? null : <p class="quiet">{says}</p>}
      {children}
      <Submit kind={kind}>{button}</Submit>
    </ActionForm>
  )
  if (id === undefined) return action
  return (
    <section class="card" aria-labelledby={id}>
      {action}
    </section>
  )
}

interface ActionButtonProps extends Omit<ActionFormProps, 'class' | 'hasFile'> {
  readonly kind?: ButtonKind | undefined
}

/** An action that needs to know nothing more: a button alone. */
export function ActionButton({ kind, children, ...form }: ActionButtonProps) {
  return (
    <ActionForm {...form}>
      <button type="submit" class={kind}>
        {children}
      </button>
    </ActionForm>
  )
}
