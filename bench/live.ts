// Charges of a live account through the stand-in for Stripe, compared with Stripe's own client
// alone: both order the same payments from the same stand-in, in turn.

import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'
import { openDatabase, temporaryFolder } from './database.ts'
import { type ChargeFigures, startCallers } from './load.ts'
import { makeMerchant } from './merchant.ts'
import type { Section } from './report.ts'
import { startService } from './service.ts'
import { CALLERS, type Sizes } from './sizes.ts'
import { median } from './statistics.ts'
import { newLiveKey, STRIPE_CARD, type StripeAddress, stripeSettings } from './stripe-account.ts'

export interface StandIn {
  /** The time for each request. */
  readonly executionMs: number
}

export interface BareCallers {
  readonly stripe: StripeAddress
  readonly connections: number
  readonly ms: number
}

export interface Paid {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * A Stripe that answers at once shows the cost of the service; one that takes as long as Stripe
 * often does shows the speed for a merchant.
 */
const STRIPES = [
  { name: 'live', takes: 'at once', executionMs: 0 },
  { name: 'live_slow', takes: 'in 200 ms', executionMs: 200 },
] as const

interface Measured {
  readonly rounds: readonly { readonly bare: Paid; readonly charged: ChargeFigures }[]
  readonly aloneBare: Paid
  readonly alone: ChargeFigures
}

export async function measureLive(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const bare = startBenchChild<BareCallers, Paid>('bare-stripe-child.ts', [], cleanups)
  const sections = []
  for (const { executionMs, name, takes } of STRIPES) {
    const standIn = startBenchChild<StandIn, StripeAddress>('stripe-child.ts', [], cleanups)
    const measured = await measure(bare, await standIn.ask({ executionMs }), sizes, cleanups)
    sections.push(figuresOf(name, takes, measured))
  }
  return {
    title: 'A live account, through the stand-in for Stripe',
    notes: [
      `${CALLERS} callers, each waiting for its outcome; ${sizes.rounds} rounds in turn, medians.`,
      "Stripe's client: the same payments by as many callers, and nothing recorded.",
    ],
    figures: sections.flatMap(({ figures }) => figures),
    ratios: Object.fromEntries(sections.map(({ ratio }) => ratio)),
  }
}

async function measure(
  bare: BenchChild<BareCallers, Paid>,
  stripe: StripeAddress,
  sizes: Sizes,
  cleanups: Cleanups,
): Promise<Measured> {
  const charge = await openLiveCharges(stripe, cleanups)
  await pay(bare, stripe, CALLERS, sizes.warmUpMs)
  await charge(CALLERS, sizes.warmUpMs)
  const rounds = []
  while (rounds.length < sizes.rounds) {
    rounds.push({
      bare: await pay(bare, stripe, CALLERS, sizes.chargesMs),
      charged: await charge(CALLERS, sizes.chargesMs),
    })
  }
  const aloneBare = await pay(bare, stripe, 1, sizes.aloneMs)
  return { rounds, aloneBare, alone: await charge(1, sizes.aloneMs) }
}

function figuresOf(name: string, takes: string, { alone, aloneBare, rounds }: Measured) {
  const of = (pick: (round: Measured['rounds'][number]) => number) => median(rounds.map(pick))
  const figure = (key: string, label: string, unit: string, value: number) => ({
    name: `${name}_${key}`,
    label: `${label}, Stripe answers ${takes}`,
    value,
    unit,
  })
  const figures = [
    figure(
      'charges_per_second',
      'charges',
      '/s',
      of(({ charged }) => charged.perSecond),
    ),
    figure(
      'bare_per_second',
      "Stripe's client",
      '/s',
      of((round) => round.bare.perSecond),
    ),
    figure(
      'charge_p50_ms',
      'a charge, p50',
      'ms',
      of(({ charged }) => charged.p50Ms),
    ),
    figure(
      'charge_p99_ms',
      'a charge, p99',
      'ms',
      of(({ charged }) => charged.p99Ms),
    ),
    figure(
      'bare_p50_ms',
      "Stripe's client, p50",
      'ms',
      of((round) => round.bare.p50Ms),
    ),
    figure(
      'bare_p99_ms',
      "Stripe's client, p99",
      'ms',
      of((round) => round.bare.p99Ms),
    ),
    figure('charge_alone_p50_ms', 'a charge alone, p50', 'ms', alone.p50Ms),
    figure('bare_alone_p50_ms', "Stripe's client alone, p50", 'ms', aloneBare.p50Ms),
  ]
  const share = of(({ bare, charged }) => charged.perSecond / bare.perSecond)
  return { figures, ratio: [`charge_${name}_vs_bare`, share] as const }
}

function pay(
  bare: BenchChild<BareCallers, Paid>,
  stripe: StripeAddress,
  connections: number,
  ms: number,
) {
  return bare.ask({ stripe, connections, ms })
}

/** The embedded default with Stripe's settings, and a merchant with payment methods there. */
async function openLiveCharges(stripe: StripeAddress, cleanups: Cleanups) {
  const folder = await temporaryFolder(cleanups)
  const settings = { DATA_DIR: folder, ...stripeSettings(stripe) }
  const { address = '' } = await startService('start', ['start'], settings, folder, cleanups)
  const target = { address, key: await newLiveKey(settings) }
  const database = await openDatabase(folder, 'guest', cleanups)
  const { paymentMethods } = await makeMerchant(target, database.client, STRIPE_CARD)
  const load = startCallers(cleanups)
  return async (connections: number, ms: number): Promise<ChargeFigures> => {
    const methods = paymentMethods.map(({ id }) => id)
    const charged = await load.ask({ target, paymentMethods: methods, connections, ms })
    if (charged.others > 0) throw new Error(`${charged.others} charges were not answered SUCCESS`)
    return charged
  }
}
