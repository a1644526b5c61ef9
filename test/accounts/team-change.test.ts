// The texts that an operator types to change a team, and their meaning.

import { describe, expect, it } from 'vitest'
import { type AccountSettings, teamChangeFault } from '../../src/accounts/change-team.ts'
import { readTeamChange } from '../../src/cli/team-changes.ts'
import { OperatorError } from '../../src/core/operator-error.ts'

const sandbox = (account: object) => ({ mode: 'sandbox', account })

const LONGEST = `${'a'.repeat(320 - 13)}@shop.example`

describe('a change of a team', () => {
  it.each([
    ['name=Moonlight Books', { team: { name: 'Moonlight Books' } }],
    ['name=a=b', { team: { name: 'a=b' } }],
    ['status=inactive', { team: { status: 'inactive' } }],
    ['split_funding_enabled=true', { team: { splitFundingEnabled: true } }],
    ['enabled=false', { team: { enabled: false } }],
    ['sandbox_rate_limit=1000000', sandbox({ rateLimitPerMinute: 1_000_000 })],
    ['live_rate_limit=1', { mode: 'live', account: { rateLimitPerMinute: 1 } }],
    ['sandbox_cutoff=00:00', sandbox({ cutoff: '00:00' })],
    ['live_cutoff=23:59', { mode: 'live', account: { cutoff: '23:59' } }],
    ['sandbox_timezone=America/Chicago', sandbox({ timezone: 'America/Chicago' })],
    ['sandbox_timezone=US/Central', sandbox({ timezone: 'US/Central' })],
    ['live_timezone=UTC', { mode: 'live', account: { timezone: 'UTC' } }],
    ['sandbox_retry_days=1,3,7', sandbox({ retryDays: [1, 3, 7] })],
    ['sandbox_retry_days=365', sandbox({ retryDays: [365] })],
    [
      'sandbox_retry_days=1,2,3,4,5,6,7,8,9,10',
      sandbox({ retryDays: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }),
    ],
    ['sandbox_retry_days=1, 3', sandbox({ retryDays: [1, 3] })],
    ['live_retry_days=none', { mode: 'live', account: { retryDays: [] } }],
    ['email=pay@moonlight.example', { team: { email: 'pay@moonlight.example' } }],
    ['email=a=b@moonlight.example', { team: { email: 'a=b@moonlight.example' } }],
    ['email=none', { team: { email: null } }],
    [`email=${LONGEST}`, { team: { email: LONGEST } }],
    ['sandbox_receipts=email', sandbox({ autoReceipts: ['email'] })],
    ['sandbox_receipts=sms,email', sandbox({ autoReceipts: ['email', 'sms'] })],
    ['sandbox_receipts=email, sms', sandbox({ autoReceipts: ['email', 'sms'] })],
    ['live_gateway=checkout', { mode: 'live', account: { liveGateway: 'checkout' } }],
    ['live_gateway=default', { mode: 'live', account: { liveGateway: null } }],
    ['live_receipts=none', { mode: 'live', account: { autoReceipts: [] } }],
  ])('%s', (change, expected) => {
    expect(readTeamChange(change)).toEqual(expected)
  })

  const NO_TIME = 'the business day ends at a time from 00:00 to 23:59, such as 20:00'
  const NO_ZONE = 'there is no such time zone; one of the tz database is America/New_York'
  const NO_DAYS = /^a failed payment is tried again after up to 10 numbers of days, 1 to 365, /
  const NO_LIMIT = "a minute's requests are a whole number, 1 to 1000000"

  const NO_ADDRESS = 'an address such as pay@shop.example, 320 characters at most; or none'
  const NO_RECEIPTS = 'automatic receipts go out by email, by sms, by email,sms; or by none'

  it.each<[string, string, string | RegExp]>([
    ...['moonlight', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b\u0007', 'a@b\u200b', `a${LONGEST}`].map(
      (value): [string, string, string] => ['email', value, NO_ADDRESS],
    ),
    ...['fax', 'email,', 'email,email', 'webhook', 'email,none', 'EMAIL'].map(
      (value): [string, string, string] => ['live_receipts', value, NO_RECEIPTS],
    ),
    ...['24:00', '8:00', '08:60', '20.00', '20:00:00', '-1:00', 'noon', '20:00 '].map(
      (value): [string, string, string] => ['sandbox_cutoff', value, NO_TIME],
    ),
    ...['Mars/Olympus', 'UTC+3', '+02:00', 'New York', 'EDT', 'America/'].map(
      (value): [string, string, string] => ['live_timezone', value, NO_ZONE],
    ),
    ...['0', '-1', '366', '1.5', '1,1', '3,1', '1,,3', '1 3', ',1', '1,', 'never', '1;3'].map(
      (value): [string, string, RegExp] => ['sandbox_retry_days', value, NO_DAYS],
    ),
    ['live_retry_days', '1,2,3,4,5,6,7,8,9,10,11', NO_DAYS],
    ...['0', '1000001', '1e3', '-5', '1.5'].map((value): [string, string, string] => [
      'live_rate_limit',
      value,
      NO_LIMIT,
    ]),
    ...['acct_', 'acct 1', 'pi_1', `acct_${'a'.repeat(101)}`].map(
      (value): [string, string, RegExp] => ['live_stripe_account', value, /is called acct_…/],
    ),
    ...['adyen', 'sandbox', 'none', 'Stripe'].map((value): [string, string, RegExp] => [
      'live_gateway',
      value,
      /is stripe or checkout; or default/,
    ]),
    ...['yes', 'TRUE', '1'].map((value): [string, string, string] => [
      'enabled',
      value,
      'it is true or false',
    ]),
    ['status', 'asleep', 'the status of a team is active or inactive'],
    // A variable of a script that is not set must not remove anything.
    ['email', '', NO_ADDRESS],
    ['live_receipts', '', NO_RECEIPTS],
    ['live_retry_days', '', NO_DAYS],
    ['live_gateway', '', /is stripe or checkout; or default/],
    ['live_website', '', /such as https:\/\/shop.example; or none/],
    ['sandbox_gateway', 'stripe', /the gateway of a live account/],
    ['sandbox_stripe_account', 'acct_1', /a live account's own Stripe account/],
  ])('names the fault of %s=%s', (name, value, fault) => {
    const said = faultOf(`${name}=${value}`)
    expect(said.startsWith(`${name}=${value}: `)).toBe(true)
    expect(said.slice(`${name}=${value}: `.length)).toMatch(fault)
  })

  it.each([
    'cutoff=20:00',
    'sandbox_email=a@shop.example',
    'receipts=email',
    'sandbox_cutoff',
    'test_cutoff=20:00',
    'live_enabled=true',
    'sandbox_constructor=1',
    '',
  ])('"%s" is no field, and the refusal lists all fields', (change) => {
    const said = faultOf(change)
    expect(said).toContain(
      `${change} is not a change of a team: name=…, email=an address or none, `,
    )
    for (const name of ['rate_limit', 'cutoff', 'timezone', 'retry_days', 'receipts']) {
      expect(said).toContain(`sandbox_${name}|live_${name}=`)
    }
  })

  it.each([
    ['sms_enabld=true', 'sms_enabled'],
    ['smsEnabled=true', 'sms_enabled'],
    ['live_color=#0b6e69', 'live_colour'],
    ['status:inactive', 'status'],
  ])('the refusal of %s says which was probably meant', (change, meant) => {
    expect(faultOf(change).endsWith(`; did you mean ${meant}=…?`)).toBe(true)
  })
})

describe('a typed change', () => {
  it.each<readonly [AccountSettings, boolean]>([
    [{ gatewayAccount: 'acct_1' }, true],
    [{ gatewayAccount: null }, true],
    [{ gatewayAccount: 'none' }, false],
    [{ liveGateway: 'stripe' }, true],
    [{ liveGateway: null }, true],
    [{ liveGateway: '' }, false],
    [{ rateLimitPerMinute: 1 }, true],
    [{ rateLimitPerMinute: Number.NaN }, false],
    [{ rateLimitPerMinute: 1.5 }, false],
    [{ cutoff: '' }, false],
    [{ timezone: '' }, false],
    [{ retryDays: [] }, true],
    [{ retryDays: [1, Number.NaN, 3] }, false],
    [{ retryDays: [2, 2] }, false],
    [{ autoReceipts: ['sms'] }, true],
    [{ autoReceipts: ['sms', 'sms'] }, false],
    [{ autoReceipts: ['sms', 'email'] }, true],
    [{ autoReceipts: ['webhook'] }, false],
    [{ cutoff: '20:00', timezone: 'Mars/Olympus' }, false],
  ])('%j of an account can be written back: %s', (account, isRight) => {
    expect(teamChangeFault({ mode: 'live', account }) === undefined).toBe(isRight)
  })

  it('shows a name, and an address or none', () => {
    for (const name of ['', '  ', ' Quay', 'Quay ', 'Qu\u202eay', 'a\nb', 'Q'.repeat(121)]) {
      expect(teamChangeFault({ team: { name } })).toContain('a name has 1 to 120 characters')
    }
    expect(teamChangeFault({ team: { name: `${'Q'.repeat(119)}\u{1f600}` } })).toBeUndefined()
    expect(teamChangeFault({ team: { name: 'The Quay 2' } })).toBeUndefined()
    expect(teamChangeFault({ team: { name: 'Quay', email: 'nowhere' } })).toContain('an address')
    expect(teamChangeFault({ team: { name: 'Quay', email: null } })).toBeUndefined()
  })
})

function faultOf(change: string): string {
  try {
    readTeamChange(change)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  throw new Error(`${change} was taken`)
}
