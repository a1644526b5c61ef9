// Holds the next request at Stripe in one phase of its processing, until a test releases it.

import type { StripeFault, StripeFaultPlan } from './stand-in/faults.ts'

type Slow = Extract<StripeFault, { kind: 'slow' }>

interface HeldRequest {
  /** Resolves when a request has arrived at the stand-in. */
  readonly reached: Promise<void>
  plan(phase: Pick<Slow, 'while'>): StripeFaultPlan
  release(): void
}

export function holdRequest(): HeldRequest {
  let reach = () => {}
  let release = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const lasts = new Promise<void>((resolve) => {
    release = resolve
  })
  let isReached = false
  return {
    reached,
    plan: (phase) => () => {
      if (isReached) return undefined
      isReached = true
      reach()
      return { kind: 'slow', lasts, ...phase }
    },
    release: () => release(),
  }
}
