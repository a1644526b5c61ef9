// The sign-in page.

import type { FastifyReply } from 'fastify'
import { answerHtml } from '../web/html.ts'
import type { World } from '../world.ts'
import { ConsolePage } from './layout.tsx'

export const LONGEST_NAME = 60

interface SignIn {
  /** The page to open after the sign-in. */
  readonly next?: string | undefined
  /** The secret of a sign-in link. */
  readonly once?: string | undefined
  readonly fault?: string | undefined
  /** As it was typed before. */
  readonly name?: string | undefined
  readonly status?: number
}

export function answerSignIn(world: World, reply: FastifyReply, about: SignIn): FastifyReply {
  const { next = '/admin', once, fault, name, status = 401 } = about
  const hasPassword = world.config.adminPassword !== undefined
  return answerHtml(
    reply,
    <ConsolePage title="Sign in" operator={undefined}>
      {fault === undefined ? null : (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {hasPassword || once !== undefined ? <SignInForm {...{ next, once, name }} /> : <LinkOnly />}
    </ConsolePage>,
    status,
  )
}

function SignInForm({ next, once, name }: Pick<SignIn, 'once' | 'name'> & { next: string }) {
  return (
    <form method="post" action="/admin/sign-in" class="stack">
      <input type="hidden" name="next" value={next} />
      <label>
        Your name <span class="quiet">for the audit log</span>
        <input name="name" value={name} autoComplete="username" maxLength={LONGEST_NAME} required />
      </label>
      {once === undefined ? (
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
      ) : (
        <input type="hidden" name="once" value={once} />
      )}
      <button type="submit">Sign in</button>
    </form>
  )
}

function LinkOnly() {
  return (
    <p>
      No password is set. Open the one-time link that the start printed, or make another:{' '}
      <code>npm run lamplighter -- sign-in-link</code>. With <code>ADMIN_PASSWORD</code> set, this
      page asks for it.
    </p>
  )
}
