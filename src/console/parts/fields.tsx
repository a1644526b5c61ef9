// The fields of forms and filters. After a fault the typed values stay in place, with the fault
// beside them.

import type { ComponentChildren } from 'preact'
import { Refusal } from '../../core/errors.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { sentenceOf } from '../../core/sentence.ts'
import type { Form } from '../../web/forms.ts'

/** The faults of a form, by field. That of the whole form is `form`. */
export type FormFaults = Readonly<Record<string, string>>

/** What a form shows: texts by field, and what is wrong with them. */
export interface FilledForm {
  readonly typed: Form
  readonly faults: FormFaults
}

/** A form that was refused, as its page shows it again. */
export interface RefusedForm extends FilledForm {
  /** The action to which it was sent, since a page may have several. */
  readonly form: string
}

/** A form that was sent before with other values: the first sending has made `what`. */
export function madeOnce(error: Error, what: string): FormFaults | undefined {
  if (!(error instanceof Refusal) || error.code !== 'idempotency_conflict') return undefined
  return { form: `${what} was made with this form before. Send it again to make another one.` }
}

/** The message of a code is part of a sentence; words about a field are a whole one. */
export function refusalWords(error: Error, nothing: string): string {
  const isWhole = error instanceof Refusal && error.code === 'invalid_request'
  return isWhole ? error.message : `${nothing}: ${error.message}.`
}

/** Why something can't have that name. */
export function nameFaults(error: Error): FormFaults | undefined {
  return error instanceof OperatorError ? { name: sentenceOf(error.message) } : undefined
}

/** A form of a page: as it was typed if it was refused. */
export function filledForm(
  refused: RefusedForm | undefined,
  form: string,
  typed: Form = {},
): FilledForm {
  return refused?.form === form ? refused : { typed, faults: {} }
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  /** A note to read before typing. */
  readonly hint?: string | undefined
  readonly fault?: string | undefined
}

export interface TextProps extends FieldProps {
  readonly type?: 'text' | 'search' | 'date' | 'email' | 'password'
  readonly isRequired?: boolean
  readonly placeholder?: string
  readonly inputMode?: 'decimal' | 'numeric'
  readonly longest?: number
  /** True if the page is there for this field. */
  readonly hasFocus?: boolean
  /** The value that a browser or a password manager may fill in. */
  readonly fills?: 'username' | 'current-password' | 'new-password' | 'one-time-code'
}

/** What is wrong with the form as a whole. It gets the focus, since it may be far down the page. */
export function FormFault({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p tabIndex={-1} autofocus class="fault" role="alert">
      {text}
    </p>
  )
}

export function TextField(props: TextProps) {
  const { name, value = '', type = 'text', isRequired = false } = props
  const { placeholder, inputMode, longest, hasFocus, fills = 'off' } = props
  return (
    <Labelled {...props}>
      <input
        name={name}
        // The renderer's types differ for each kind of input, but all of them accept these
        // attributes.
        type={type as 'text'}
        value={value}
        required={isRequired}
        placeholder={placeholder}
        inputMode={inputMode}
        maxLength={longest}
        autoComplete={fills}
        {...marks(props.fault, hasFocus)}
      />
    </Labelled>
  )
}

export interface ChoiceProps extends FieldProps {
  /** A value, or a value with its label. */
  readonly choices: readonly (string | readonly [value: string, words: string])[]
  /** The label for no choice. Undefined if the first choice stands for none. */
  readonly any?: string | undefined
}

export function ChoiceField(props: ChoiceProps) {
  const { name, value = '', choices, any } = props
  return (
    <Labelled {...props}>
      <select name={name} {...marks(props.fault)}>
        {any === undefined ? null : <option value="">{any}</option>}
        {choices.map((choice) => {
          const [one, words] = typeof choice === 'string' ? [choice, choice] : choice
          return (
            <option key={one} value={one} selected={one === value}>
              {words}
            </option>
          )
        })}
      </select>
    </Labelled>
  )
}

interface FileProps extends FieldProps {
  /** The types that the browser offers; the service looks for itself. */
  readonly accept: string
}

export function FileField(props: FileProps) {
  return (
    <Labelled {...props}>
      <input type="file" name={props.name} accept={props.accept} {...marks(props.fault)} />
    </Labelled>
  )
}

interface FlagProps {
  readonly name: string
  readonly label: string
  readonly isSet: boolean
  readonly hint?: string
}

/** Sent as `on` or not at all. */
export function FlagField({ name, label, isSet, hint }: FlagProps) {
  return (
    <label class="flag">
      <input type="checkbox" name={name} checked={isSet} />
      <span>
        {label}
        {hint === undefined ? null : <span class="quiet hint">{hint}</span>}
      </span>
    </label>
  )
}

/** Values that a form carries unseen, by name. One that is undefined is left out. */
export type HiddenValues = Readonly<Record<string, string | undefined>>

export function HiddenFields({ of }: { of: HiddenValues }) {
  return Object.entries(of).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  )
}

/** The props that each field of a form has: its name, what was typed, and the fault. */
export function fieldsOf({
  typed,
  faults,
}: FilledForm): (name: string) => Pick<FieldProps, 'name' | 'value' | 'fault'> {
  return (name) => ({ name, value: typed[name], fault: faults[name] })
}

/** The first wrong field of a page gets the focus, and so is in sight. */
function marks(fault: string | undefined, autofocus?: boolean) {
  return fault === undefined
    ? { autofocus }
    : ({ 'aria-invalid': 'true', autofocus: true } as const)
}

function Labelled({
  label,
  hint,
  fault,
  children,
}: Pick<FieldProps, 'label' | 'hint' | 'fault'> & { children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label class="field">
      <span>{label}</span>
      {children}
      {fault === undefined ? null : (
        <span class="wrong" role="alert">
          {fault}
        </span>
      )}
      {hint === undefined ? null : <span class="quiet hint">{hint}</span>}
    </label>
  )
}

interface FiltersProps {
  readonly path: string
  readonly isFiltered: boolean
  /** What the address keeps besides. */
  readonly fields?: HiddenValues
  readonly children: ComponentChildren
}

/**
 * The filters of a list. They change nothing, so their values are in the address. A phone shows
 * them on request, so that the list is in sight.
 */
export function FilterForm({ path, isFiltered, fields = {}, children }: FiltersProps) {
  return (
    <>
      <div class="row level on-phone">
        <button type="button" class="plain" popovertarget="filters">
          Filters
        </button>
        {isFiltered ? <a href={path}>Clear</a> : null}
      </div>
      <form id="filters" popover="auto" class="filters card" method="get" action={path}>
        <HiddenFields of={fields} />
        <div class="filter-fields">
          {children}
          <div class="row">
            <button type="submit">Search</button>
            {isFiltered ? <a href={path}>Clear</a> : null}
          </div>
        </div>
      </form>
    </>
  )
}

/** What the page could not read of its address. */
export function Notes({ all }: { readonly all: readonly string[] }) {
  return (
    <>
      {all.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  )
}
