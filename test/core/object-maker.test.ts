import { expect, it } from 'vitest'
import { objectMaker } from '../../src/core/object-maker.ts'

it('makes objects with the properties in their order, whatever their names are', () => {
  const names = ['id', 'address_1', '?column?', 'it\'s "so"', 'a\\b', '1', 'return']
  const make = objectMaker(names)
  const values = names.map((_, at) => at)
  expect(make(values)).toEqual(Object.fromEntries(names.map((name, at) => [name, at])))
  expect(JSON.stringify(objectMaker(['b', 'a'])([null, false]))).toBe('{"b":null,"a":false}')
  expect(make(values)).not.toBe(make(values))
})

it('takes the last value of a name that comes twice, and none at all', () => {
  expect(objectMaker(['id', 'id'])([1, 2])).toEqual({ id: 2 })
  expect(objectMaker([])([])).toEqual({})
})
