// Of what somebody wants to be told: of everything, of one thing, or of some.

import { EVENT_NAMES } from './event-names.ts'

export const ALL_EVENTS = '*'

export const EVENT_CHOICES = [ALL_EVENTS, ...EVENT_NAMES] as const

export type EventChoice = (typeof EVENT_CHOICES)[number]

/** Of what is said of it as a whole: that a list holds names alone is told of each. */
export function eventChoiceFault(chosen: unknown): string | undefined {
  const names: readonly unknown[] = EVENT_CHOICES
  if (typeof chosen === 'string' && !names.includes(chosen)) {
    return `must be one of ${names.join(', ')}`
  }
  const isMixed = eventsOf([chosen].flat()).length > 1 && [chosen].flat().includes(ALL_EVENTS)
  return isMixed ? `must be ${ALL_EVENTS} alone, or names without it` : undefined
}

/** None twice. */
export function eventsOf<T>(chosen: T | readonly T[]): readonly T[] {
  return [...new Set([chosen].flat() as T[])]
}
