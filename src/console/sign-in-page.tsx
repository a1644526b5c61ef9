// The sign-in page.

import type { FastifyReply } from 'fastify'
import { LONGEST_NAME } from '../operators/names.ts'
import type { World } from '../world.ts'
import { answerConsole } from './answer-console.tsx'
import { FormFault, TextField } from './parts/fields.tsx'

interface SignIn {
  /** The page to open after the sign-in. */
  readonly next?: string | undefined
  /** The secret of a sign-in link. */
  readonly once?: string | undefined
  readonly fault?: string | undefined
  readonly nameFault?: string | undefined
  /** As it was typed before. */
  readonly name?: string | undefined
  /** The operator has just chosen a password. */
  readonly isChosen?: boolean
  readonly status?: number
}

export async function answerSignIn(
  world: World,
  reply: FastifyReply,
  about: SignIn,
): Promise<FastifyReply> {
  const { next = '/admin', once, fault, nameFault, name } = about
  const { isChosen = false, status = 401 } = about
  const { hasOperators, hasCodes } = await meansOf(world)
  const hasPassword = hasOperators || world.config.adminPassword !== undefined
  const done = isChosen ? { words: 'Your password is set. Sign in with it.' } : undefined
  return answerConsole(
    reply,
    { title: 'Sign in', done, status },
    <>
      <FormFault text={fault} />
      {hasPassword || once !== undefined ? (
        <SignInForm {...{ next, once, name, nameFault, hasCodes }} />
      ) : (
        <LinkOnly />
      )}
    </>,
  )
}

const MEANS = `
  SELECT count(*) > 0 AS has_operators, count(totp_secret) > 0 AS has_codes
  FROM operator WHERE disabled_at IS NULL AND password IS NOT NULL`

interface Means {
  readonly hasOperators: boolean
  readonly hasCodes: boolean
}

/** While the database is away, the form is shown with all its fields. */
async function meansOf({ db }: World): Promise<Means> {
  const [row] = await db.query(MEANS, []).catch(() => [])
  return { hasOperators: row?.has_operators ?? true, hasCodes: row?.has_codes ?? true }
}

interface SignInFormProps extends Pick<SignIn, 'next' | 'once' | 'name' | 'nameFault'> {
  readonly hasCodes: boolean
}

function SignInForm({ next, once, name, nameFault: fault, hasCodes }: SignInFormProps) {
  return (
    <form method="post" action="/admin/sign-in" class="stack">
      <input type="hidden" name="next" value={next} />
      <TextField
        name="name"
        label="Your name"
        hint="The audit log says who did what."
        value={name}
        fault={fault}
        fills="username"
        longest={LONGEST_NAME}
        isRequired
        hasFocus
      />
      {once === undefined ? (
        <TextField
          name="password"
          label="Password"
          type="password"
          fills="current-password"
          isRequired
        />
      ) : (
        <input type="hidden" name="once" value={once} />
      )}
      {once === undefined && hasCodes ? (
        <TextField
          name="code"
          label="Code"
          hint="Of your authenticator app, if you have set one up."
          inputMode="numeric"
          fills="one-time-code"
          longest={10}
        />
      ) : null}
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
