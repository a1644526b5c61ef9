// Whatever colour a merchant has, text in it and on it is readable, by day and by night.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastOf, GROUNDS, isColour, type Scheme, shadesOf } from '../../src/core/colour.ts'
import { DARK, LIGHT } from '../../src/messages/templates/styles.ts'

const SCHEMES: readonly Scheme[] = ['light', 'dark']

const hex = (value: number) => Math.round(value).toString(16).padStart(2, '0')

/** A hue, from pale to deep. */
function colourOf(hue: number, saturation: number, lightness: number): string {
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    const most = saturation * Math.min(lightness, 1 - lightness)
    return hex(255 * (lightness - most * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return `#${part(0)}${part(8)}${part(4)}`
}

function faultsOf(colour: string): readonly string[] {
  return SCHEMES.flatMap((scheme) => {
    const { button, onButton, edge, ink } = shadesOf(colour, scheme)
    const grounds = GROUNDS[scheme]
    const isReadable = contrastOf(button, onButton) >= 4.5
    const isSeen = grounds.every((ground) => contrastOf(edge, ground) >= 3)
    const isLink = grounds.every((ground) => contrastOf(ink, ground) >= 4.5)
    const isAll = [button, onButton, edge, ink].every(isColour)
    return isReadable && isSeen && isLink && isAll ? [] : [`${colour} ${scheme}`]
  })
}

describe('a colour', () => {
  it('of every hue, pale or deep, becomes readable', () => {
    const colours: string[] = []
    for (let hue = 0; hue < 360; hue += 3) {
      for (const saturation of [0, 0.3, 0.7, 1]) {
        for (let light = 0; light <= 1; light += 0.1) colours.push(colourOf(hue, saturation, light))
      }
    }
    expect(new Set(colours).size).toBeGreaterThan(3_000)
    expect(colours.flatMap(faultsOf)).toEqual([])
  })

  it('of any channels becomes readable', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        expect(faultsOf(`#${value.toString(16).padStart(6, '0')}`)).toEqual([])
      }),
    )
  })

  it('would often not be readable unchanged', () => {
    const isAsItIs = (colour: string) => shadesOf(colour, 'light').ink === colour
    expect(['#ffffff', '#ffee00', '#aaddff'].some(isAsItIs)).toBe(false)
  })

  it.each(['#0b5fff', '#b3005e', '#1f6b3a'])('that is readable stays as it is: %s', (colour) => {
    expect(shadesOf(colour, 'light')).toEqual({
      button: colour,
      onButton: '#ffffff',
      edge: colour,
      ink: colour,
    })
  })

  it('that is pale has dark text on its button', () => {
    expect(shadesOf('#ffd400', 'light')).toMatchObject({ button: '#ffd400', onButton: '#000000' })
  })

  it.each(['#0B5FFF', '0b5fff', '#0b5ff', '#0b5fff;', 'red', '#0b5fff\n', 'url(//x)'])(
    'is not %j',
    (text) => {
      expect(isColour(text)).toBe(false)
    },
  )
})

describe('the backgrounds', () => {
  it('are those of e-mails and of pages', () => {
    expect(GROUNDS).toEqual({
      light: [LIGHT.card, LIGHT.paper, LIGHT.tint],
      dark: [DARK.card, DARK.paper, DARK.tint],
    })
    const css = readFileSync(join(import.meta.dirname, '../../public/base.css'), 'utf8')
    const named = (name: string) =>
      [...css.matchAll(new RegExp(`--${name}: (#\\w+);`, 'g'))].map(([, value]) => value)
    const [card, paper, tint] = ['card', 'paper', 'tint'].map(named)
    expect([card, paper, tint]).toEqual([0, 1, 2].map((i) => [GROUNDS.light[i], GROUNDS.dark[i]]))
  })
})
