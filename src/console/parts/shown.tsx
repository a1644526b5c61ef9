// How all pages of the console show common values.

import { type ComponentChildren, Fragment } from 'preact'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { grouped } from '../../core/counts.ts'
import { isId } from '../../core/id.ts'
import { secondText } from '../../core/instant.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { referenceOf } from '../../core/reference.ts'
import { MINUTE } from '../../core/time-units.ts'
import { wallAt } from '../../core/wall-clock.ts'
import type { Customer } from '../../generated/client.ts'
import type { QrPath } from '../../links/qr-code.ts'
import { AUDIT_PATH, teamPath } from '../paths.ts'
import { pathWith } from '../query.ts'

/** Within a sentence. */
export const CHANNEL_WORDS = { email: 'e-mail', sms: 'SMS', webhook: 'webhook' } as const

export const CHANNEL_LABELS = { email: 'E-mail', sms: 'SMS', webhook: 'Webhook' } as const

/** `−$1,234.50`: the sign stands before the dollar sign. */
export function dollarText(cents: Cents): string {
  const [whole = '', part] = toDecimal(cents < 0n ? -cents : cents)
    .toFixed(2)
    .split('.')
  return `${cents < 0n ? '−' : ''}$${grouped(Number(whole))}.${part}`
}

export function Amount({ cents }: { cents: Cents }) {
  return <span class="number">{dollarText(cents)}</span>
}

/** In UTC, as in the logs. Pointing at it shows the browser's local time. */
export function At({ instant }: { instant: Date | null }) {
  if (instant === null) return <Dash />
  return (
    <time class="number" dateTime={instant.toISOString()}>
      {secondText(instant)}
    </time>
  )
}

const TONES: Readonly<Record<string, 'good' | 'bad' | 'wait'>> = {
  SUCCESS: 'good',
  PAID: 'good',
  active: 'good',
  closed: 'good',
  delivered: 'good',
  sent: 'good',
  won: 'good',
  warning_closed: 'good',
  FAILED: 'bad',
  refused: 'bad',
  undelivered: 'bad',
  'no answer': 'bad',
  deleted: 'bad',
  failed: 'bad',
  failing: 'bad',
  parked: 'bad',
  revoked: 'bad',
  disabled: 'bad',
  inactive: 'bad',
  lost: 'bad',
  needs_response: 'bad',
  PENDING: 'wait',
  ATTEMPTED: 'wait',
  SENT: 'wait',
  VIEWED: 'wait',
  closing: 'wait',
  not_sent: 'wait',
  due: 'wait',
  away: 'wait',
  throttled: 'wait',
  open: 'wait',
  paused: 'wait',
  pending: 'wait',
  under_review: 'wait',
  warning: 'wait',
}

interface StatusWordProps {
  readonly status: string
  /** If the status itself does not say it. */
  readonly words?: string | undefined
}

/** `needs_response`, `America/New_York`, as people write them. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ')
}

/** A status, in the color that it has on every page. */
export function StatusWord({ status, words }: StatusWordProps) {
  const own = status === 'parked' ? 'needs attention' : spaced(status)
  return <span class={`word ${TONES[status] ?? ''}`}>{words ?? own}</span>
}

/**
 * The short form of an id, by which the search finds it. Pointing at it shows all of it. Payment
 * links have ids of another kind, which have none.
 */
export function Id({ id, to }: { id: string; to?: string }) {
  const shown = isId(id) ? (
    <code title={id}>{referenceOf(id)}</code>
  ) : (
    <code>
      <LongText text={id} />
    </code>
  )
  return to === undefined ? shown : <a href={to}>{shown}</a>
}

/** The id of what a page is about, and of the actions on it. */
export function OwnId({ id }: { id: string }) {
  return (
    <>
      <code>{id}</code>
      <Below>
        <a href={pathWith(AUDIT_PATH, {}, { subject: id })}>What operators did to it</a>
      </Below>
    </>
  )
}

/** The second line of a cell. None without a value. */
export function Below({ children = null }: { children: ComponentChildren }) {
  return children === null ? null : (
    <span class="quiet below">
      <Value of={children} />
    </span>
  )
}

/** Texts longer than this are rare: most names and addresses are shorter. */
const LONG = 40

/** A text from elsewhere in a table. A long one is cut, so that it hides no column; a title shows all. */
export function LongText({ text }: { text: string }) {
  if (text.length <= LONG) return <>{text}</>
  return (
    <span class="long" title={text}>
      {text}
    </span>
  )
}

export function LongLink({ text, to }: { text: string; to: string }) {
  return (
    <a href={to}>
      <LongText text={text} />
    </a>
  )
}

/** `create_payment_method`, which may be broken after an underscore rather than within a word. */
export function EventName({ of }: { of: string }) {
  return of.split(/(?<=_)/).map((part, i) => (
    <Fragment key={i}>
      {part}
      <wbr />
    </Fragment>
  ))
}

/** The team of the account that a page is about. */
export function TeamOf({ account: { teamId, team, mode } }: { account: AccountWithTeam }) {
  return (
    <>
      <a href={teamPath(teamId)}>{team.name}</a> {mode}
    </>
  )
}

/** A value that is not there. On a phone, where a card has no heads, it is left out. */
export function Dash() {
  return <span class="quiet dash">–</span>
}

/** The value of a cell or a fact, which looks the same on every page. */
export function Value({ of }: { of: ComponentChildren }) {
  if (of instanceof Date) return <At instant={of} />
  if (typeof of === 'bigint') return <Amount cents={of} />
  return of === null ? <Dash /> : of
}

export type Facts = Readonly<Record<string, ComponentChildren>>

/** What is known about one thing. A fact that is null or undefined is left out. */
export function FactList({ of }: { of: Facts }) {
  return (
    <dl class="facts">
      {Object.entries(of)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Value of={value} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

/** The facts of what a page is about. */
export function FactCard({ of, children }: { of: Facts; children?: ComponentChildren }) {
  return (
    <section class="card stack" aria-label="Facts">
      <FactList of={of} />
      {children}
    </section>
  )
}

/** The head of a column by which the rows can be sorted. */
export interface SortHead {
  readonly words: string
  readonly path: string
  readonly sorted: 'ascending' | 'descending' | undefined
}

interface TableProps {
  /** The title of the table for screen readers. */
  readonly title: string
  readonly heads: readonly (string | SortHead)[]
  /** The heads above amounts and counts, which end where these do. */
  readonly figures?: readonly string[]
  readonly children: ComponentChildren
  readonly isEmpty?: boolean
  /** Shown instead of rows if there are none. */
  readonly whenEmpty?: string | undefined
  /**
   * On a phone each row is a card, which begins with its cell of the class `main`. Tables of
   * figures alone, which fit, stay tables.
   */
  readonly isOfCards?: boolean
}

export function Table(props: TableProps) {
  const {
    title,
    heads,
    figures = [],
    children,
    isEmpty = false,
    whenEmpty,
    isOfCards = true,
  } = props
  if (isEmpty) return <p class="quiet empty">{whenEmpty ?? 'There is nothing here.'}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class={isOfCards ? 'table cards' : 'table'} tabIndex={0} aria-label={title}>
      <table>
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            {heads.map((head) => {
              const words = typeof head === 'string' ? head : head.words
              const kind = figures.includes(words) ? 'amount' : undefined
              return typeof head === 'string' ? (
                <th key={words} scope="col" class={kind}>
                  {words === '' ? <span class="hidden">Actions</span> : words}
                </th>
              ) : (
                <th key={words} scope="col" class={kind} aria-sort={head.sorted}>
                  <a href={head.path}>{words}</a>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** A value to take elsewhere. Without scripts it can still be selected. */
export function CopyableText({ id, text }: { id: string; text: string }) {
  return (
    <p class="copyable">
      <code id={id}>{text}</code>
      <button type="button" class="plain small" data-copies={id}>
        Copy
      </button>
    </p>
  )
}

/** Text from elsewhere, unchanged. A scrolling area must be reachable by keyboard. */
export function Verbatim({ text }: { text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  return <pre tabIndex={0}>{text}</pre>
}

type Named = Pick<Customer, 'firstname' | 'lastname' | 'company' | 'email' | 'phone'>

/** A person's name, or the best that is known instead. */
export function personName({ firstname, lastname, company, email, phone }: Named): string {
  const own = [firstname, lastname].filter((part) => part !== null && part !== '').join(' ')
  return [own, company, email, phone].find((name) => name !== null && name !== '') ?? '–'
}

/** `2026-11-20 20:00`, to the minute. */
export function localMinuteText(instant: Date, zone: string): string {
  const wall = Math.floor(wallAt(instant.getTime(), zone) / MINUTE) * MINUTE
  return new Date(wall).toISOString().slice(0, 16).replace('T', ' ')
}

export function LocalAt({ instant, zone }: { instant: Date; zone: string }) {
  const utc = instant.toISOString()
  return (
    <span class="local">
      <time class="number" dateTime={utc}>
        {localMinuteText(instant, zone)}
      </time>{' '}
      <span class="quiet">
        {zone === 'UTC' ? 'UTC' : `${spaced(zone)} · ${utc.slice(11, 16)} UTC`}
      </span>
    </span>
  )
}

export function QrCode({ path: { size, path }, label }: { path: QrPath; label: string }) {
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" shape-rendering="crispEdges" d={path} />
    </svg>
  )
}
