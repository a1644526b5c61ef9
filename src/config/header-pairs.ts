// Headers in one line, by the rules of OpenTelemetry: `name=value` with commas between them, and
// what is special in a value as in an address.

import { allOf, isDecodable, type Kind } from './kinds.ts'
import { hidden } from './masking.ts'

const NAME = /^[\w!#$%&'*+.^`|~-]+$/

export function headerPairs(): Kind<Readonly<Record<string, string>>> {
  return {
    wanted: 'name=value pairs, comma-separated, special characters of a value as %2C',
    parse(text) {
      const pairs = allOf(text, pairOf)
      return pairs && Object.fromEntries(pairs)
    },
    show: hidden,
  }
}

function pairOf(text: string): readonly [name: string, value: string] | undefined {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=').trim()
  const isRight = rest.length > 0 && NAME.test(name.trim()) && isDecodable(value)
  return isRight ? [name.trim(), decodeURIComponent(value)] : undefined
}
