import { NamedError } from './named-error.ts'

/** An operator's request that cannot be carried out, with a reason in one line. */
export class OperatorError extends NamedError {}
