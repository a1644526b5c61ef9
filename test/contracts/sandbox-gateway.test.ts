// The sandbox gateway keeps the rules of all gateways. Between it and us there is only a database,
// so faults occur on the way there and back.

import { setTimeout as delay } from 'node:timers/promises'
import { connectionShares, openDatabase } from '../../src/db/database.ts'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import { sandboxGateway } from '../../src/outside/gateway/sandbox/gateway.ts'
import { newId } from '../../src/outside/identity.ts'
import { GOOD_CARD, openTestService } from '../support/test-service.ts'
import { type ContractFault, describeGateway, type GatewayHarness, type Moved } from './gateway.ts'

const SLOW_MS = 60

/** A card with a valid number that the sandbox declines. */
const DECLINED_CARD = '4000000000000002'

const LEDGER = `
  SELECT key, operation, amount, outcome AS state FROM sandbox_gateway_payment WHERE account_id = $1`

async function openSandbox(): Promise<GatewayHarness> {
  const log: string[] = []
  const service = await openTestService({ queues: [], log: { write: (line) => log.push(line) } })
  const { world, databaseUrl } = service
  const second = openDatabase(databaseUrl, {
    name: 'second',
    connections: connectionShares(34),
    onError: () => {},
  })
  const [mine, theirs] = await Promise.all([service.merchant(), service.merchant()])
  let next: ContractFault | undefined
  let made = 0

  /** This request meets the planned fault. */
  function disturbed<A>(ask: () => Promise<A>, turnedAway?: A): Promise<A> {
    const fault = next
    next = undefined
    return meet(fault, ask, turnedAway)
  }

  return {
    accounts: [mine.accountId, theirs.accountId],
    make(): Gateway {
      made += 1
      const db = made % 2 === 0 ? second : world.db
      const sandbox = sandboxGateway({ db, clock: world.clock, newId: world.newId })
      const away = { kind: 'turned_away', message: 'Try again later' } as const
      return {
        ...sandbox,
        carryOut: (order, signal) => disturbed(() => sandbox.carryOut(order, signal), away),
        lookUp: (order, signal) => disturbed(() => sandbox.lookUp(order, signal)),
        giveUp: (order, signal) => disturbed(() => sandbox.giveUp(order, signal)),
      }
    },
    async token(accountId, pays) {
      const cardNumber = pays === 'always' ? GOOD_CARD : DECLINED_CARD
      const instrument = { cardNumber, cardExp: '1239', cardCvv: '123' }
      const { tokenise } = sandboxGateway(world)
      const made = await tokenise?.(accountId, 'card', instrument, new Date())
      if (made?.kind !== 'token') throw new Error('no token')
      return made.tokenised.token
    },
    disturb(fault) {
      next = fault
    },
    async ledger(accountId) {
      const rows = await world.db.query(LEDGER, [accountId])
      return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }) as unknown as Moved)
    },
    said: () => ({ log: log.join(''), secrets: [] }),
    async [Symbol.asyncDispose]() {
      await second.close()
      await service.close()
    },
  }
}

/** Faults that differ between the database and us. */
const FAULTS = [
  'cut before',
  'cut after',
  'hang before',
  'hang after',
  'slow',
  'rate limit',
] as const

async function meet<A>(
  fault: ContractFault | undefined,
  ask: () => Promise<A>,
  turnedAway: A | undefined,
): Promise<A> {
  if (fault === 'rate limit' && turnedAway !== undefined) return turnedAway
  if (fault === 'rate limit' || fault === 'cut before') throw new Error(fault)
  if (fault === 'hang before') return new Promise<never>(() => {})
  if (fault === 'slow') await delay(SLOW_MS)
  const answer = await ask()
  if (fault === 'hang after') return new Promise<never>(() => {})
  if (fault === 'cut after') throw new Error(fault)
  return answer
}

describeGateway('of the sandbox', openSandbox, newId, FAULTS)
