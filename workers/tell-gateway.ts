import { tellGateway } from '../src/settlement/tell-gateway.ts'
import type { WorkerSpec } from './run.ts'

export const tell_gateway = { carries: 'rows', action: tellGateway } as const satisfies WorkerSpec
