// Fails in two functions of this file, one of which calls the other. See stack-lines.test.ts.

import { nameStackLines } from '../../src/log/stack-lines.ts'

nameStackLines()

interface Unused {
  readonly of: 'lines that are not in the built file'
}

function inner(_unused?: Unused): never {
  throw new TypeError('thrown by the child')
}

function outer(): void {
  inner()
}

outer()
