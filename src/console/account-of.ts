// The account of an object, as the path of its page names it, and how an operator acts for it: with
// the merchant's own actions, in the account's own time.

import type { FastifyRequest } from 'fastify'
import { type ActingAccount, obstacleOf, type RequestContext } from '../accounts/acting-account.ts'
import { type AccountWithTeam, accountWithTeam } from '../accounts/find-teams.ts'
import { Refusal } from '../core/errors.ts'
import { isId } from '../core/id.ts'
import type { RowKey } from '../db/columns.ts'
import type { InCommit } from '../db/queries.ts'
import { writeAuditEntry } from '../operators/audit-entries.ts'
import type { Form } from '../web/forms.ts'
import { incompleteForm, PageRefusal } from '../web/page-refusal.ts'
import type { World, WritingWorld } from '../world.ts'
import { operatorOf } from './who.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account for which the operator acts as its merchant. */
    actsFor: string | undefined
  }
}

/** The parameters of a page about one object. */
export interface ObjectParams {
  readonly account: string
  readonly id: string
}

/** The type of a route to it. */
export interface ObjectRoute {
  readonly Params: ObjectParams
}

export async function accountOfPath(
  world: World,
  account: string,
  what: string,
): Promise<AccountWithTeam> {
  const found = isId(account) ? await accountWithTeam(world, account.toLowerCase()) : undefined
  if (found === undefined) throw notInAccount(what)
  return found
}

function notInAccount(what: string): PageRefusal {
  return new PageRefusal(404, 'Not found', `There is no such ${what} in that account.`)
}

/** The account that a path names, and the object in it. `what` is for the page of "not found". */
export async function namedInAccount<T>(
  world: World,
  params: ObjectParams,
  what: string,
  find: (world: World, key: RowKey) => Promise<T | null | undefined>,
  isValidId: (id: string) => boolean = isId,
): Promise<{ readonly account: AccountWithTeam; readonly found: T }> {
  const account = await accountOfPath(world, params.account, what)
  const id = params.id.toLowerCase()
  const found = isValidId(id) ? await find(world, { accountId: account.id, id }) : undefined
  if (found === undefined || found === null) throw notInAccount(what)
  return { account, found }
}

export function actingOf(account: AccountWithTeam): ActingAccount {
  const { id: accountId, mode, liveGateway, clockAt, clockTarget, team } = account
  return { accountId, mode, liveGateway, clockAt, isClockAdvancing: clockTarget !== null, team }
}

/** As the API refuses the merchant's own requests meanwhile. */
export function refuseWhileAdvancing({ clockTarget }: AccountWithTeam): void {
  if (clockTarget !== null) throw new Refusal('clock_advancing')
}

/** `key` is made with the form, so that sending it twice has one effect. */
export function operatorContext(
  request: FastifyRequest,
  account: AccountWithTeam,
  key?: string,
): RequestContext {
  refuseWhileAdvancing(account)
  const { id: accountId, clockAt } = account
  request.actsFor = accountId
  const idempotencyKey = key === undefined ? undefined : `console-${key}`
  return { accountId, clockAt, requestId: request.id, idempotencyKey }
}

/** Its payers' pages would take no payment, and its key sends nothing. */
export function refuseStopped({ team }: AccountWithTeam): void {
  const obstacle = obstacleOf(team)
  if (obstacle !== undefined) throw new Refusal(obstacle)
}

export function keyOfForm({ key: made = '' }: Form): string {
  const key = made.toLowerCase()
  if (!isId(key)) throw incompleteForm()
  return key
}

interface Audited {
  readonly world: WritingWorld
  readonly request: FastifyRequest
}

/**
 * The entry of an action, in its commit: the action has it whatever ends this process, and of two
 * forms at the same moment only the one which changed something has it.
 */
export function auditInCommit(
  { world, request }: Audited,
  ...[account, action, subject, detail = {}]: Entry
): InCommit {
  return (query) =>
    writeAuditEntry({ ...world, db: { query } }, operatorOf(request), {
      action,
      subject,
      detail: { account: account.id, team: account.team.name, ...detail },
    })
}

type Entry = readonly [
  account: AccountWithTeam,
  action: string,
  subject: string,
  detail?: Readonly<Record<string, string | number>>,
]
