// The ring around what has the focus, as somebody sees it who works by keyboard.

import type { Page } from 'playwright-core'
import { contrastOf } from '../../src/core/colour.ts'

/** WCAG 2.2, 1.4.11. */
const LEAST_CONTRAST = 3

interface Stop {
  readonly what: string
  readonly isRinged: boolean
  readonly ring: string
  readonly ground: string
}

const AT_STOP = `(() => {
  const { activeElement: at } = document
  if (at === null || at === document.body) return null
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(at)
  const isClear = (element) => /^rgba\\(.* 0\\)$/.test(getComputedStyle(element).backgroundColor)
  let around = at.parentElement
  while (around.parentElement !== null && isClear(around)) around = around.parentElement
  return {
    what: at.outerHTML.slice(0, 80),
    isRinged: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2,
    ring: outlineColor,
    ground: getComputedStyle(around).backgroundColor,
  }
})()`

/** Presses Tab through the page: each stop, and what is wrong with its ring, if anything is. */
export async function faintStops(
  page: Page,
  most = 40,
): Promise<{ readonly stops: number; readonly faint: readonly string[] }> {
  const faint: string[] = []
  for (let stops = 0; ; stops += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate<Stop | null>(AT_STOP)
    if (stop === null || stops === most) return { stops, faint }
    const contrast = contrastOf(hexOf(stop.ring), hexOf(stop.ground))
    if (!stop.isRinged || contrast < LEAST_CONTRAST) {
      faint.push(`${stop.what}: ${stop.ring} on ${stop.ground}`)
    }
  }
}

/** Converts `rgb(18, 52, 86)` to hexadecimal. */
export function hexOf(text: string): string {
  const channels = [...text.matchAll(/\d+/g)].slice(0, 3)
  return `#${channels.map(([one]) => Number(one).toString(16).padStart(2, '0')).join('')}`
}
