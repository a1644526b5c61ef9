// The actions on one key: rename it, change its dialect or its end, roll it, revoke it. Each change
// and its audit entry are one commit.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { MODES } from '../../accounts/key.ts'
import {
  type KeyOfTeam,
  keyStateOf,
  readDialect,
  readExpiry,
  readExpiryOrNever,
  readOverlap,
  revokeKey,
  setKey,
  writeRolledKey,
} from '../../accounts/manage-keys.ts'
import { OperatorError } from '../../accounts/operator-error.ts'
import { DIALECTS } from '../../core/dialect.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { type Form, formOf, lineOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import type { World } from '../../world.ts'
import { redirectDone, savedWords, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { operatorOf } from '../who.ts'
import { TEAMS_PATH } from './list.tsx'
import { MadeKey, OneKey } from './one-key.tsx'

type Act = (
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  apiKey: KeyOfTeam,
) => Promise<FastifyReply>

export const ACTS: Readonly<Record<string, Act>> = { set, roll, revoke }

async function set(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  apiKey: KeyOfTeam,
): Promise<FastifyReply> {
  const typed = typedKeyForm(formOf(request))
  const { key_name: name = '', expires = '', dialect: sent = '' } = typed
  const faults = faultsOf(world, { ...typed, mode: 'live' }, 'never')
  if (Object.keys(faults).length > 0) {
    return answerKey(world, request, reply, apiKey, { typed, faults })
  }
  const dialect = sent === '' ? apiKey.dialect : readDialect(sent)
  const changes = [
    ...(name === apiKey.name ? [] : [{ name: 'name', from: apiKey.name, to: name }]),
    ...(dialect === apiKey.dialect ? [] : [{ name: 'dialect', from: apiKey.dialect, to: dialect }]),
    ...(expires === '' ? [] : [{ name: 'expires', from: endOf(apiKey), to: expires }]),
  ]
  if (changes.length > 0) {
    const detail = Object.fromEntries(changes.map((one) => [one.name, `${one.from} → ${one.to}`]))
    const change = {
      ...(name === apiKey.name ? {} : { name }),
      ...(dialect === apiKey.dialect ? {} : { dialect }),
      ...(expires === '' ? {} : { expiresAt: readExpiryOrNever(expires, world.clock.now()) }),
    }
    await world.db.prisma.$transaction(async (tx) => {
      await setKey(world, apiKey.id, change, tx)
      const entry = { action: 'key changed', subject: apiKey.id, detail }
      await writeAuditEntry(world, operatorOf(request), entry, tx)
    })
  }
  return redirectDone(world, request, reply, pathOf(apiKey), savedWords(changes.length))
}

async function roll(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  apiKey: KeyOfTeam,
): Promise<FastifyReply> {
  const overlap = (formOf(request).overlap ?? '').trim()
  const until = told(() => readOverlap(overlap, world.clock.now()))
  if (typeof until === 'string') {
    const refused = { typed: { overlap }, faults: { overlap: until } }
    return answerKey(world, request, reply, apiKey, refused)
  }
  const made = await world.db.prisma.$transaction(async (tx) => {
    const rolled = await writeRolledKey(world, tx, apiKey.id, until)
    const detail = { new_key: rolled.id, old_ends: rolled.oldUntil.toISOString() }
    const entry = { action: 'key rolled', subject: apiKey.id, detail }
    await writeAuditEntry(world, operatorOf(request), entry, tx)
    return rolled
  })
  return answerMade(request, reply, apiKey.account.teamId, made)
}

async function revoke(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  apiKey: KeyOfTeam,
): Promise<FastifyReply> {
  await world.db.prisma.$transaction(async (tx) => {
    if (!(await revokeKey(world, apiKey.id, tx))) return
    const detail = { name: apiKey.name, prefix: apiKey.prefix }
    const entry = { action: 'key revoked', subject: apiKey.id, detail }
    await writeAuditEntry(world, operatorOf(request), entry, tx)
  })
  const words = 'The key is revoked: requests with it are refused.'
  return redirectDone(world, request, reply, pathOf(apiKey), words)
}

export function answerMade(
  request: FastifyRequest,
  reply: FastifyReply,
  teamId: string,
  { id, key }: { readonly id: string; readonly key: string },
): FastifyReply {
  return answerHtml(
    reply,
    <ConsolePage title="A new key" place="teams" operator={operatorOf(request)}>
      <MadeKey teamId={teamId} id={id} secret={key} />
    </ConsolePage>,
  )
}

export async function answerKey(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  apiKey: KeyOfTeam,
  refused: { readonly typed?: Form; readonly faults?: FormFaults } = {},
): Promise<FastifyReply> {
  const operator = operatorOf(request)
  const state = keyStateOf(apiKey, world.clock.now())
  return answerHtml(
    reply,
    <ConsolePage
      title={`Key ${apiKey.name}`}
      place="teams"
      operator={operator}
      done={takeDone(world, request, reply)}
    >
      <OneKey {...{ apiKey, state, operator, ...refused }} />
    </ConsolePage>,
    refused.faults === undefined ? 200 : 422,
  )
}

function endOf({ expiresAt }: KeyOfTeam): string {
  return expiresAt?.toISOString() ?? 'never'
}

function pathOf({ id, account }: KeyOfTeam): string {
  return `${TEAMS_PATH}/${account.teamId}/keys/${id}`
}

const LONGEST = 120

/** What was typed of a key, and what is wrong with it. */
export function typedKeyForm(form: Form): Form {
  const names = ['mode', 'key_name', 'dialect', 'expires']
  return Object.fromEntries(names.map((name) => [name, lineOf(form[name], LONGEST)]))
}

export function faultsOf(
  world: World,
  { mode, key_name: name, dialect = '', expires = '' }: Form,
  also = '',
): FormFaults {
  const fault =
    expires === also || expires === ''
      ? undefined
      : told(() => readExpiry(expires, world.clock.now()))
  return {
    ...(MODES.some((one) => one === mode) ? {} : { mode: 'Choose live or sandbox.' }),
    ...(dialect === '' || DIALECTS.some((one) => one === dialect)
      ? {}
      : { dialect: `Choose ${DIALECTS.join(' or ')}.` }),
    ...(name === '' ? { key_name: 'Enter a name.' } : {}),
    ...(typeof fault === 'string' ? { expires: fault } : {}),
  }
}

/** The value, or its fault. */
function told(read: () => Date): Date | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
}
