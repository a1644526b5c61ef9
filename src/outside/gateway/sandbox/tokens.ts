// The tokens of the sandbox gateway: it makes them from cards and bank accounts, and knows those
// that browsers send.

import assert from 'node:assert'
import cardValidator from 'card-validator'
import { expiryFault } from '../../../core/expiry.ts'
import { after, DAY, MINUTE } from '../../../core/time-units.ts'
import type { Database } from '../../../db/database.ts'
import type { Row } from '../../../db/gathered.ts'
import type { Clock } from '../../clock.ts'
import type {
  BroughtToken,
  Instrument,
  Kept,
  KnownToken,
  MethodToKeep,
  Tokenising,
} from '../port.ts'
import { TEST_TOKENS, type TestInstrument } from './test-tokens.ts'

export interface SandboxNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly newId: () => string
}

/**
 * The page's script uses a token at once. This leaves time for a payer who lost the connection and
 * presses Pay again.
 */
const USABLE_MS = 10 * MINUTE

/** An unused token is useless after some minutes. A day leaves a trace for debugging. */
const UNUSED_KEPT_MS = DAY

/** By SQL: the first start makes a card, and loading Prisma's query compiler takes longest. */
const WRITE = `
  INSERT INTO sandbox_gateway_token
    (account_id, token, approves, method, last_four, card_type, card_exp, page, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

export async function tokeniseInSandbox(
  { db, clock, newId }: SandboxNeeds,
  accountId: string,
  method: 'card' | 'bank',
  instrument: Instrument,
  now: Date,
  page?: string,
): Promise<Tokenising> {
  const examined = method === 'card' ? examineCard(instrument, now) : examineBank(instrument)
  if (examined.kind === 'faults') return examined
  const { approves, lastFour, cardType } = examined
  const cardExp = method === 'card' ? (instrument.cardExp ?? null) : null
  const token = `tok_sandbox_${newId()}`
  const known = [approves, method, lastFour, cardType, cardExp]
  await db.query(WRITE, [accountId, token, ...known, page ?? null, clock.now()])
  return { kind: 'token', tokenised: { token, lastFour, cardType } }
}

/** One statement, so that only one of two payments with the same token gets it. */
const REDEEM = `
  UPDATE sandbox_gateway_token SET redeemed_for = $4
  WHERE account_id = $1 AND token = $2 AND page = $3 AND created_at > $5
    AND (redeemed_for IS NULL OR redeemed_for = $4)
  RETURNING method, last_four, card_type, card_exp`

export async function redeemSandboxToken(
  { db, clock }: SandboxNeeds,
  accountId: string,
  { token, page, redeemedFor }: BroughtToken,
): Promise<(KnownToken & { readonly token: string }) | undefined> {
  const since = after(clock.now(), -USABLE_MS)
  const [row] = await db.query(REDEEM, [accountId, token, page, redeemedFor, since])
  return row && { token, ...knownOf(row) }
}

/** A page's token that no payment has used. The same customer may bring it again. */
const REDEEM_ANYWHERE = `
  UPDATE sandbox_gateway_token SET redeemed_for = $3
  WHERE account_id = $1 AND token = $2 AND page IS NOT NULL AND created_at > $4
    AND (redeemed_for IS NULL OR redeemed_for = $3)
  RETURNING method, last_four, card_type, card_exp`

/**
 * Keeps a token for payments without the payer: one for tests, or one that this gateway gave a
 * browser.
 */
export async function keepSandboxToken(
  needs: SandboxNeeds,
  accountId: string,
  { token, owner }: MethodToKeep,
): Promise<Kept> {
  const tested = TEST_TOKENS.get(token)
  const now = needs.clock.now()
  if (tested !== undefined) return keepTested(needs, accountId, tested, now)
  const since = after(now, -USABLE_MS)
  const [row] = await needs.db.query(REDEEM_ANYWHERE, [accountId, token, owner.id, since])
  return row === undefined
    ? { kind: 'fault', fault: 'is unknown, has expired or was used before' }
    : { kind: 'kept', token, ...knownOf(row) }
}

async function keepTested(
  needs: SandboxNeeds,
  accountId: string,
  { method, instrument }: TestInstrument,
  now: Date,
): Promise<Kept> {
  const made = await tokeniseInSandbox(needs, accountId, method, instrument, now)
  assert(made.kind === 'token', 'the tokens for tests stand for what the sandbox takes')
  return { kind: 'kept', method, cardExp: instrument.cardExp ?? null, ...made.tokenised }
}

function knownOf(row: Row): KnownToken {
  const { method, last_four: lastFour, card_type: cardType, card_exp: cardExp } = row
  return { method, lastFour, cardType, cardExp }
}

const FORGET = `
  DELETE FROM sandbox_gateway_token WHERE (account_id, token) IN (
    SELECT account_id, token FROM sandbox_gateway_token
    WHERE page IS NOT NULL AND redeemed_for IS NULL AND created_at < $1
    ORDER BY created_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  RETURNING 1`

/** Deletes browser tokens that no payment used. Returns how many. */
export async function forgetUnusedTokens(db: Database, now: Date, most: number): Promise<number> {
  return (await db.query(FORGET, [after(now, -UNUSED_KEPT_MS), most])).length
}

const APPROVED_CARDS = new Set([
  '4111111111111111',
  '5555555555554444',
  '378282246310005',
  '6011111111111117',
])
const APPROVED_BANK = { routing: '021000021', account: '9876543210' }

const SEPARATORS = /[ -]/g
const ROUTING = /^\d{9}$/
const ACCOUNT = /^\d{4,17}$/

type Faults = Extract<Tokenising, { kind: 'faults' }>['faults']

type Examined =
  | {
      readonly kind: 'known'
      readonly approves: boolean
      readonly lastFour: string
      readonly cardType: string | null
    }
  | { readonly kind: 'faults'; readonly faults: Faults }

/** Decides whether the sandbox takes a card, and whether it approves payments with it. */
function examineCard(instrument: Instrument, now: Date): Examined {
  const number = (instrument.cardNumber ?? '').replace(SEPARATORS, '')
  const verification = cardValidator.number(number)
  const faults = {
    ...(verification.isValid
      ? {}
      : faultOf(instrument, 'cardNumber', 'is not a valid card number')),
    ...faultOf(instrument, 'cardExp', expiryFault(instrument.cardExp, now)),
    ...faultOf(instrument, 'cardCvv', cvvFault(instrument.cardCvv)),
  }
  if (Object.keys(faults).length > 0) return { kind: 'faults', faults }
  return {
    kind: 'known',
    approves: APPROVED_CARDS.has(number),
    lastFour: number.slice(-4),
    cardType: verification.card?.type ?? null,
  }
}

function examineBank(instrument: Instrument): Examined {
  const { bankRouting: routing = '', bankAccount: account = '' } = instrument
  const faults = {
    ...(ROUTING.test(routing) ? {} : faultOf(instrument, 'bankRouting', 'must be nine digits')),
    ...(ACCOUNT.test(account) ? {} : faultOf(instrument, 'bankAccount', 'must be 4 to 17 digits')),
  }
  if (Object.keys(faults).length > 0) return { kind: 'faults', faults }
  return {
    kind: 'known',
    approves: routing === APPROVED_BANK.routing && account === APPROVED_BANK.account,
    lastFour: account.slice(-4),
    cardType: null,
  }
}

function cvvFault(cvv: string | undefined): string | undefined {
  return cvv === undefined || /^\d{3,4}$/.test(cvv) ? undefined : 'must be three or four digits'
}

/** The words for a wrong value would hide that its field is missing, or misspelt. */
function faultOf(sent: Instrument, field: keyof Instrument, fault: string | undefined): Faults {
  if (fault === undefined) return {}
  return { [field]: sent[field] === undefined ? 'is required' : fault }
}
