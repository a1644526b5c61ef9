// The requests that a process admits and refuses, by a clock that the test moves.

import { beforeEach, describe, expect, it } from 'vitest'
import {
  Admission,
  type AdmissionSlot,
  type Admitted,
  BURST_MS,
  BURST_PAYMENTS,
  MOST_QUEUED,
  MOST_UNDECIDED,
  MOST_WORKING,
  QUEUED_SHARE,
  type RequestKind,
} from '../../src/core/admission.ts'
import { SECOND } from '../../src/core/time-units.ts'

const WAIT_MS = 10 * SECOND
const FLOOD = 'flood'
const SMALL = 'small'

let nowMs: number
let admission: Admission

beforeEach(() => {
  nowMs = 1_000_000
  admission = new Admission({ waitMs: WAIT_MS, nowMs: () => nowMs, random: () => 0.999 })
  for (const name of [FLOOD, SMALL, 'third']) admission.remember(name)
})

interface Asked {
  admitted?: Admitted
}

/** The requests that are answered at once; a waiting one has no answer. */
async function ask(count: number, name = FLOOD, kind: RequestKind = 'other'): Promise<Asked[]> {
  const asked = Array.from({ length: count }, () => {
    const one: Asked = {}
    void admission.enter(name, kind).then((admitted) => {
      one.admitted = admitted
    })
    return one
  })
  await settled()
  return asked
}

/** Waits until all consequences of the last step have happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function placesOf(asked: readonly Asked[]): AdmissionSlot[] {
  return asked.flatMap(({ admitted }) => (admitted?.kind === 'admitted' ? [admitted.place] : []))
}

function refusedOf(asked: readonly Asked[]) {
  return asked.flatMap(({ admitted }) => (admitted?.kind === 'refused' ? [admitted] : []))
}

describe('requests in progress', () => {
  it('are limited; some more wait for their turn, and the rest is refused', async () => {
    const asked = await ask(MOST_WORKING + MOST_QUEUED + 10)
    expect(placesOf(asked).length).toBe(MOST_WORKING)
    expect(refusedOf(asked).map((one) => one.for)).toEqual(Array(10).fill('work'))
    expect(admission.counts).toEqual({ working: MOST_WORKING, queued: MOST_QUEUED, payments: 0 })

    for (const place of placesOf(asked)) place.leave()
    await settled()
    expect(placesOf(asked).length).toBe(2 * MOST_WORKING)
  })

  it('of a caller beside a flood begin at once', async () => {
    await ask(MOST_WORKING + MOST_QUEUED)
    expect(placesOf(await ask(MOST_WORKING / 2, SMALL)).length).toBe(MOST_WORKING / 2)
  })

  it('take turns by caller when they wait, whichever came first', async () => {
    const flood = await ask(MOST_WORKING + 100)
    const small = await ask(MOST_WORKING / 2 + 2, SMALL)
    const [first, second] = placesOf(flood)
    const beganOf = (asked: readonly Asked[]) => placesOf(asked).length
    const before = [beganOf(flood), beganOf(small)]
    // Those of the small caller are over the limit: as many must end before another gets its turn.
    for (const place of placesOf(small)) place.leave()
    first?.leave()
    second?.leave()
    await settled()
    expect(beganOf(flood) - (before[0] ?? 0)).toBe(1)
    expect(beganOf(small) - (before[1] ?? 0)).toBe(1)
  })

  it('are refused once they have waited for a second', async () => {
    const asked = await ask(MOST_WORKING + 5, FLOOD, 'payment')
    nowMs += QUEUED_SHARE * WAIT_MS
    admission.refuseLate()
    await settled()
    expect(refusedOf(asked)).toEqual([])
    nowMs += 1
    admission.refuseLate()
    await settled()
    expect(refusedOf(asked).length).toBe(5)
    expect(admission.counts).toEqual({
      working: MOST_WORKING,
      queued: 0,
      payments: MOST_WORKING,
    })
  })

  it('of callers without a valid key share the limit of one caller', async () => {
    const strangers = await Promise.all(
      Array.from({ length: MOST_WORKING + MOST_QUEUED + 10 }, (_, n) => ask(1, `made up ${n}`)),
    )
    expect(refusedOf(strangers.flat()).length).toBe(10)
    expect(placesOf(await ask(MOST_WORKING / 2, SMALL)).length).toBe(MOST_WORKING / 2)
  })
})

describe('payments that wait for their outcome', () => {
  /** Payments that only wait, like those that the workers have. */
  async function wait(
    count: number,
    name = FLOOD,
  ): Promise<{ places: AdmissionSlot[]; refused: number }> {
    const places: AdmissionSlot[] = []
    for (let n = 0; n < count; n += 1) {
      const admitted = await admission.enter(name, 'payment')
      if (admitted.kind === 'refused') continue
      admitted.place.endWork()
      places.push(admitted.place)
    }
    return { places, refused: count - places.length }
  }

  async function decide(aSecond: number): Promise<void> {
    for (const place of (await wait(aSecond)).places) place.leave(true)
  }

  it('are limited to those that are decided in a tenth of the wait', async () => {
    await decide(1_500)
    const { places, refused } = await wait(2_000)
    expect([places.length, refused]).toEqual([1_500, 500])
  })

  it('can be some hundreds in a burst, whatever was decided before', async () => {
    await decide(1)
    expect((await wait(2_000)).places.length).toBe(BURST_PAYMENTS)
  })

  it('of workers that stay slow are never more than are decided in half of the wait', async () => {
    await decide(20)
    const { places } = await wait(2_000)
    nowMs += BURST_MS
    for (const place of places.splice(0, 20)) place.leave(true)
    expect((await wait(1)).refused).toBe(1)
    // The flood has many more than that now, which is no fault of the other caller.
    expect((await wait(10, SMALL)).refused).toBe(0)
    // With 20 decided a second, 100 are decided in half of the wait.
    while (admission.counts.payments > 100) places.pop()?.leave()
    expect((await wait(1)).refused).toBe(1)
    places.pop()?.leave()
    expect((await wait(2)).refused).toBe(1)
  })

  it('can be more while nothing is decided at all, since there is no pace to go by', async () => {
    await decide(1)
    nowMs += 6 * SECOND
    expect((await wait(3_000)).places.length).toBe(MOST_UNDECIDED)
  })

  it('delay no other request, and none of a caller beside the flood is refused', async () => {
    await decide(1)
    await wait(2_000)
    expect(placesOf(await ask(1, FLOOD)).length).toBe(1)
    expect((await wait(100, SMALL)).refused).toBe(0)
    // As a control, the flood is still refused.
    expect((await wait(1)).refused).toBe(1)
  })

  it('leave once, and leave nothing behind', async () => {
    const { places } = await wait(3)
    for (const place of [...places, ...places]) place.leave(true)
    expect(admission.counts).toEqual({ working: 0, queued: 0, payments: 0 })
    expect((await wait(2_000)).places.length).toBe(BURST_PAYMENTS)
  })
})

it('callers are told to come back later, the more of them are refused', async () => {
  const aFew = refusedOf(await ask(MOST_WORKING + MOST_QUEUED + 2))
  expect(aFew[0]?.retryAfterS).toBeLessThanOrEqual(2)
  const many = refusedOf(await ask(100)).map(({ retryAfterS }) => retryAfterS)
  expect(Math.max(...many)).toBe(30)
})

describe('one key at four times the capacity, and another with five requests a second', () => {
  const CAPACITY_A_MS = 1
  const FLOOD_A_MS = 4
  const SMALL_EVERY_MS = 200
  const RUN_MS = 20 * SECOND

  interface Sent {
    readonly name: string
    readonly sentMs: number
    readonly place: AdmissionSlot
  }

  it('requests of the first beyond the capacity are refused, and none of the second; both are answered soon', async () => {
    const workers: Sent[] = []
    const tookMs: Record<string, number[]> = { [FLOOD]: [], [SMALL]: [] }
    const refused: Record<string, number> = { [FLOOD]: 0, [SMALL]: 0 }

    function send(name: string): void {
      const sentMs = nowMs
      void admission.enter(name, 'payment').then((admitted) => {
        if (admitted.kind === 'refused') refused[name] = (refused[name] ?? 0) + 1
        else workers.push({ name, sentMs, place: admitted.place })
      })
    }

    const startedMs = nowMs
    while (nowMs < startedMs + RUN_MS) {
      for (let n = 0; n < FLOOD_A_MS; n += 1) send(FLOOD)
      if ((nowMs - startedMs) % SMALL_EVERY_MS === 0) send(SMALL)
      await Promise.resolve()
      // A payment is accepted at once; the workers make them one after the other.
      for (const { place } of workers) place.endWork()
      for (const { name, sentMs, place } of workers.splice(0, CAPACITY_A_MS)) {
        place.leave(true)
        tookMs[name]?.push(nowMs - sentMs)
      }
      await Promise.resolve()
      nowMs += 1
    }

    expect(refused[SMALL]).toBe(0)
    expect(refused[FLOOD]).toBeGreaterThan(0)
    const done = (tookMs[FLOOD]?.length ?? 0) + (tookMs[SMALL]?.length ?? 0)
    expect(done).toBeGreaterThan(0.99 * RUN_MS * CAPACITY_A_MS)
    expect(Math.max(...(tookMs[SMALL] ?? []))).toBeLessThan(WAIT_MS / 4)
    expect(Math.max(...(tookMs[FLOOD] ?? []))).toBeLessThan(WAIT_MS / 4)
    expect(tookMs[SMALL]?.length).toBeGreaterThan(90)
  })
})
