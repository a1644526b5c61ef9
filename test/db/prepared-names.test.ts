import { expect, it } from 'vitest'
import { preparedNames } from '../../src/db/prepared-names.ts'

it('a text that comes often has one name, and the names are few', () => {
  const nameOf = preparedNames()
  const often = (text: string) => Array.from({ length: 9 }, () => nameOf(text))
  const names = [...new Set(often('a'))]
  expect(names).toEqual([undefined, 'search 0'])
  expect(nameOf('b')).toBeUndefined()
  const others = Array.from({ length: 200 }, (_, n) => often(`other ${n}`).at(-1))
  expect(new Set(others.filter((name) => name !== undefined)).size).toBe(99)
  expect(nameOf('a')).toBe('search 0')
  expect(often('too late').at(-1)).toBeUndefined()
})

it('texts that each come once do not keep another from its name', () => {
  const nameOf = preparedNames()
  for (let n = 0; n < 5_000; n += 1) nameOf(`once ${n}`)
  const names = Array.from({ length: 5 }, () => nameOf('often'))
  expect(names.at(-1)).toBe('search 0')
})
