// The layout of all console pages: the header, the navigation, the signed-in operator.

import type { ComponentChildren } from 'preact'
import { grouped } from '../core/counts.ts'
import { type AssetName, assetPath } from '../web/assets.ts'
import type { DoneText } from './done.ts'
import { ActionButton } from './parts/action-form.tsx'
import { PageOperator } from './parts/page-operator.ts'
import { At } from './parts/shown.tsx'
import { SEARCH_PATH } from './paths.ts'
import type { SignedInOperator } from './who.ts'

/** The navigation: places by what they are about. The first group has no heading. */
const GROUPS = {
  '': { now: 'Now', parked: 'Needs attention' },
  Payments: { transactions: 'Transactions', batches: 'Batches', disputes: 'Disputes' },
  Billing: {
    customers: 'Customers',
    invoices: 'Invoices',
    links: 'Payment links',
    schedules: 'Schedules',
  },
  Messages: {
    endpoints: 'Webhook endpoints',
    deliveries: 'Deliveries',
    events: 'Events',
    outbox: 'Outbox',
  },
  Service: {
    teams: 'Teams and keys',
    requests: 'Requests',
    workers: 'Workers',
    queues: 'Queues',
    audit: 'Audit',
    operators: 'Operators',
  },
} as const

type Groups = typeof GROUPS

export type MenuPlace = { [Heading in keyof Groups]: keyof Groups[Heading] }[keyof Groups]

export interface ConsolePageProps {
  readonly title: string
  /** The current place in the navigation. */
  readonly place?: MenuPlace | undefined
  /** Undefined before the sign-in. */
  readonly operator: SignedInOperator | undefined
  /** The result of the action that led here. */
  readonly done?: DoneText | undefined
  /** In addition to console.js. */
  readonly scripts?: readonly AssetName[]
  /** In addition to the styles of the service and the console. */
  readonly styles?: readonly AssetName[]
  readonly children: ComponentChildren
}

export function ConsolePage(props: ConsolePageProps) {
  const { title, place, operator, done, scripts = [], styles = [], children } = props
  return (
    <html lang="en" data-now={operator?.askedAt?.toISOString()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Lamplighter`}</title>
        <link rel="icon" type="image/svg+xml" href={assetPath('lamp.svg')} />
        {(['base.css', ...styles, 'console.css'] as const).map((name) => (
          <link key={name} rel="stylesheet" href={assetPath(name)} />
        ))}
        {(['console.js', ...scripts] as const).map((name) => (
          <script key={name} defer src={assetPath(name)} />
        ))}
      </head>
      <body class={operator === undefined ? 'outside' : 'inside'}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <PageOperator.Provider value={operator}>
          {operator === undefined ? <Sign /> : <Bar operator={operator} place={place} />}
          <main
            id="content"
            tabIndex={-1}
            data-clock={operator?.sandboxTime === undefined ? undefined : 'sandbox'}
          >
            <h1>{title}</h1>
            {operator?.sandboxTime === undefined ? null : (
              <p class="note">
                This account has a sandbox clock. Its time is <At instant={operator.sandboxTime} />.
              </p>
            )}
            {done === undefined ? null : <Done of={done} hasFocus={operator !== undefined} />}
            {children}
          </main>
        </PageOperator.Provider>
      </body>
    </html>
  )
}

interface DoneProps {
  readonly of: DoneText
  /** A page of its own after an action; the sign-in begins at its first field. */
  readonly hasFocus: boolean
}

/** It gets the focus: the menu before it need not be heard or passed again after each action. */
function Done({ of: { words, isBad }, hasFocus }: DoneProps) {
  return (
    <p
      class={isBad ? 'fault' : 'done'}
      role="status"
      tabIndex={hasFocus ? -1 : undefined}
      autofocus={hasFocus}
    >
      {words}
    </p>
  )
}

function Sign() {
  return (
    <header class="sign">
      <img src={assetPath('lamp.svg')} alt="" width="40" height="40" />
      <span>Lamplighter</span>
    </header>
  )
}

function Bar({ operator, place }: { operator: SignedInOperator; place: MenuPlace | undefined }) {
  return (
    <header class="bar">
      <a class="brand" href="/admin" aria-label="Lamplighter">
        <img src={assetPath('lamp.svg')} alt="" width="28" height="28" />
        <span>Lamplighter</span>
      </a>
      <search class="find">
        <form method="get" action={SEARCH_PATH}>
          <input
            type="search"
            name="q"
            id="find"
            aria-label="Find by number or name"
            placeholder="Find"
            autoComplete="off"
          />
        </form>
      </search>
      <button type="button" class="plain menu" popovertarget="menu">
        Menu
      </button>
      <div class="places" id="menu" popover="auto">
        <button type="button" class="plain close" popovertarget="menu" popovertargetaction="hide">
          Close
        </button>
        <nav aria-label="Console">
          {Object.entries(GROUPS).map(([heading, places]) => (
            <PlaceGroup key={heading} heading={heading}>
              {Object.entries(places).map(([name, words]) => (
                <li key={name}>
                  <a
                    href={name === 'now' ? '/admin' : `/admin/${name}`}
                    aria-current={name === place ? 'page' : undefined}
                  >
                    {words}
                    {name === 'parked' ? <Attention count={operator.needsAttention} /> : null}
                  </a>
                </li>
              ))}
            </PlaceGroup>
          ))}
        </nav>
        <div class="operator">
          <a class="quiet" href="/admin/me" title="Your account">
            {operator.name}
          </a>
          {operator.role === 'admin' ? null : <span class="word">{ROLE_SHORT[operator.role]}</span>}
          <ActionButton to="/admin/sign-out" kind="plain">
            Sign out
          </ActionButton>
          <button type="button" class="plain small keyboard" popovertarget="keyboard">
            Keyboard
          </button>
        </div>
      </div>
      <Keys />
    </header>
  )
}

const ROLE_SHORT = { view: 'view only', operate: 'operate' } as const

function Keys() {
  return (
    <dl id="keyboard" popover="auto" class="card keys">
      <dt>/</dt>
      <dd>Find by number or name</dd>
      <dt>j, k</dt>
      <dd>Next row, previous row</dd>
      <dt>Enter</dt>
      <dd>Open the row</dd>
      <dt>?</dt>
      <dd>These keys</dd>
    </dl>
  )
}

function Attention({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null
  return (
    <>
      {' '}
      <span class="word bad number">{grouped(count)}</span>
    </>
  )
}

function PlaceGroup({ heading, children }: { heading: string; children: ComponentChildren }) {
  if (heading === '') return <ul>{children}</ul>
  const id = `menu-${heading.toLowerCase()}`
  return (
    <>
      <p class="group quiet" id={id}>
        {heading}
      </p>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  )
}
