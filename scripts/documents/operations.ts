import type { ApiDocument, Operation } from './service-document.ts'

export interface Named {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function operationsOf({ paths }: ApiDocument): readonly Named[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

/** The error codes that an operation may answer with. */
export function codesOf({ responses }: Operation): readonly string[] {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return errors.flatMap(([, { description }]) =>
    [...description.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code),
  )
}
