// A text message in a team's name, in one segment where it can be.

import { extentOf, ROOM } from './gsm7.ts'
import { isTest } from './letter-style.ts'
import type { Sender } from './sender.ts'
import { isolatedLine, shortened } from './shown.ts'
import { transliterated } from './transliterated.ts'

/** Of a name: as long as there is room, and as short as it can be told by. */
const LONGEST_NAME = 60
const LEAST_NAME = 12

const NAMELESS = 'Receipt'

const TEST = 'TEST, no money moves. '

/** It is the name that gives way, never what is said. */
export function shortText(sender: Sender, words: string): string {
  const name = shortened(transliterated(sender.team.name) || NAMELESS, LONGEST_NAME, '...')
  const said = transliterated(words)
  const test = isTest(sender) ? TEST : ''
  const whole = `${test}${isolatedLine(name)}: ${said}`
  const { encoding, units } = extentOf(whole)
  const most = Math.max(LEAST_NAME, name.length - Math.max(0, units - ROOM[encoding]))
  return `${test}${isolatedLine(shortened(name, most, '...'))}: ${said}`
}
