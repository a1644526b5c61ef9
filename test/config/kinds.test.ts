import fc from 'fast-check'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { trustProxy } from '../../src/config/kinds.ts'

describe('the trusted proxies', () => {
  it('are understood by Fastify in every accepted form', () => {
    const part = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.tuple(fc.ipV4(), fc.nat(34)).map((pair) => pair.join('/')),
      fc.tuple(fc.ipV6(), fc.nat(130)).map((pair) => pair.join('/')),
      fc.constantFrom('loopback', 'linklocal', 'uniquelocal', '::ffff:10.0.0.1', '10.0.0.0/08'),
    )
    let accepted = 0
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
        const trusted = trustProxy.parse(parts.join(','))
        if (trusted === undefined) return
        accepted += 1
        expect(() => Fastify({ trustProxy: trusted })).not.toThrow()
      }),
    )
    expect(accepted).toBeGreaterThan(0)
    expect(() => Fastify({ trustProxy: '10.0.0.0/0' })).toThrow()
  })
})
