// An operator who is signed in to the console of a test service.

import { expect } from 'vitest'
import { COOKIE } from '../../src/console/cookies.ts'
import type { App } from '../../src/http/app.ts'
import { findSession, openSession } from '../../src/operators/session.ts'
import type { World } from '../../src/world.ts'

export interface SignedIn {
  /** The session as in the `cookie` header. */
  readonly cookie: string
  /** The field `_form` of each form of the session. */
  readonly formToken: string
}

export async function signIn(world: World, name = 'Ada'): Promise<SignedIn> {
  const secret = await openSession(world, { name, address: '127.0.0.1' })
  const operator = await findSession(world, secret)
  if (operator === undefined) throw new Error('there is no session')
  return { cookie: `${COOKIE}=${secret}`, formToken: operator.formToken }
}

/** A page, as the operator's browser requests it. */
export function see(app: App, path: string, { cookie }: Pick<SignedIn, 'cookie'>) {
  return app.inject({ method: 'GET', url: path, headers: { cookie, accept: 'text/html' } })
}

/** A page that is there: its HTML, and its words. */
export async function seePage(app: App, path: string, operator: SignedIn) {
  const { statusCode, body } = await see(app, path, operator)
  expect([path, statusCode]).toEqual([path, 200])
  return { html: body, text: textOf(body) }
}

/** The words of a page, without its elements. */
export function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

/** The page after an action, as a browser opens it, and opens it again. */
export async function seeAfter(
  app: App,
  { headers, cookies }: Awaited<ReturnType<typeof sendForm>>,
  { cookie }: SignedIn,
): Promise<{ readonly first: string; readonly again: string }> {
  const path = String(headers.location)
  const given = cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  const answer = await see(app, path, { cookie: [cookie, ...given].join('; ') })
  // A cookie that the answer deletes is not sent again.
  const taken = new Set(answer.cookies.filter(({ value }) => value === '').map(({ name }) => name))
  const left = given.filter((one) => !taken.has(one.split('=')[0] ?? ''))
  const again = await see(app, path, { cookie: [cookie, ...left].join('; ') })
  return { first: answer.body, again: again.body }
}

/** What an operator did last. */
export function lastAuditEntry({ db }: World) {
  return db.prisma.auditEntry.findFirst({ orderBy: { id: 'desc' } })
}

/** A form of the session, as a browser sends it. */
export function sendForm(
  app: App,
  path: string,
  { cookie, formToken }: SignedIn,
  fields: Readonly<Record<string, string>> = {},
) {
  return app.inject({
    method: 'POST',
    url: path,
    headers: {
      cookie,
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams({ _form: formToken, ...fields }).toString(),
  })
}

/** A form with a file, as a browser sends it. */
export async function sendFile(
  app: App,
  path: string,
  { cookie, formToken }: SignedIn,
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly name: string; readonly bytes: Buffer },
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ _form: formToken, ...fields })) form.set(name, value)
  form.set(file.field, new Blob([new Uint8Array(file.bytes)], { type: 'image/png' }), file.name)
  const sent = new Response(form)
  return app.inject({
    method: 'POST',
    url: path,
    headers: {
      cookie,
      accept: 'text/html',
      'content-type': sent.headers.get('content-type') ?? '',
      'sec-fetch-site': 'same-origin',
    },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
}
