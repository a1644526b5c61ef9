import { expect, it } from 'vitest'
import { objectMaker } from '../../src/core/object-maker.ts'

it('makes objects with the properties in their order, whatever their names are', () => {
  const names = ['id', 'address_1', '?column?', 'it\'s "so"', 'a\\b', '1', 'return']
  const make = objectMaker<readonly number[]>(names.map((name, from) => ({ name, from })))
  const values = names.map((_, at) => at)
  expect(make(values)).toEqual(Object.fromEntries(names.map((name, at) => [name, at])))
  const two = objectMaker(['b', 'a'].map((name, from) => ({ name, from })))
  expect(JSON.stringify(two([null, false]))).toBe('{"b":null,"a":false}')
  expect(make(values)).not.toBe(make(values))
})

it('takes the last value of a name that comes twice, and none at all', () => {
  const twice = [0, 1].map((from) => ({ name: 'id', from }))
  expect(objectMaker(twice)([1, 2])).toEqual({ id: 2 })
  expect(objectMaker([])([])).toEqual({})
})

it('converts a property alone, or the whole source with a context', () => {
  const make = objectMaker<Record<string, unknown>>([
    { name: 'said', from: 'it\'s "so"', by: String },
    { name: 'all', by: (...given) => given },
  ])
  const source = { 'it\'s "so"': 1 }
  expect(make(source, 'context')).toEqual({ said: '1', all: [source, 'context'] })
})
