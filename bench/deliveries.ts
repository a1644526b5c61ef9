// E-mails and events a second, beside the same libraries alone, to the same sinks in the same
// minutes: nodemailer's own pool with the same messages, undici's own pool with the same bodies.
// And the time from the recording of a charge to the arrival of its event and its receipt.

import { SECOND } from '../src/core/time-units.ts'
import { bareMails, barePosts } from './bare-senders.ts'
import type { Cleanups } from './cleanups.ts'
import { measureDelays } from './delivery-delays.ts'
import { openDeliveryService } from './delivery-service.ts'
import type { Figure, Section } from './report.ts'
import { QUICK, type Sizes } from './sizes.ts'
import { median } from './statistics.ts'

const MAILS = 3_000
const MAILS_QUICK = 500
const POSTS = 20_000
const POSTS_QUICK = 5_000
const ROUNDS = 3

export async function measureDeliveries(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const isQuick = sizes === QUICK
  const mails = isQuick ? MAILS_QUICK : MAILS
  const posts = isQuick ? POSTS_QUICK : POSTS
  const measured = await openDeliveryService(cleanups, Math.max(mails, posts))
  const mail = await inTurn(
    () => bareMails(measured, mails),
    () => measured.sendReceipts(mails),
  )
  const post = await inTurn(
    () => barePosts(measured, posts),
    () => measured.deliverEvents(posts),
  )
  const delays = await measureDelays(measured, cleanups, isQuick)
  return {
    title: 'Deliveries',
    notes: [
      `${mails} receipts, each claimed, written from its rows, sent and recorded, beside as many of the same messages through nodemailer's pool; ${posts} events, each signed, beside as many posts of the same bodies through undici. One process on an embedded PostgreSQL; the sinks are another. Medians of ${ROUNDS} rounds in turn.`,
      'From the commit of a charge to its arrival: one charge after the other, on an embedded PostgreSQL and its queues, receipts and endpoint switched on.',
    ],
    figures: [
      ...figuresOf('email', 'receipts', 'bare nodemailer', mails, mail),
      ...figuresOf('webhook', 'events sent', 'bare undici', posts, post),
      ...delays,
    ],
    ratios: {
      email_vs_nodemailer: mail.bareMs / mail.oursMs,
      webhook_vs_undici: post.bareMs / post.oursMs,
    },
  }
}

interface Took {
  readonly bareMs: number
  readonly oursMs: number
}

async function inTurn(bare: () => Promise<number>, ours: () => Promise<number>): Promise<Took> {
  const bares: number[] = []
  const own: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bares.push(await bare())
    own.push(await ours())
  }
  return { bareMs: median(bares), oursMs: median(own) }
}

function figuresOf(
  name: string,
  label: string,
  bareLabel: string,
  count: number,
  { bareMs, oursMs }: Took,
): readonly Figure[] {
  const figure = (suffix: string, text: string, ms: number) => ({
    name: `${name}_${suffix}`,
    label: text,
    value: (count / ms) * SECOND,
    unit: '/s',
  })
  return [figure('per_second', label, oursMs), figure('bare_per_second', bareLabel, bareMs)]
}
