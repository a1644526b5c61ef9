import { cpuMicros, hasProcesses } from './processes.ts'

export interface CpuUse {
  readonly name: string
  readonly micros: number
}

export interface CpuMeter {
  during<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly used: CpuUse[] }>
}

export function openCpuMeter(
  processes: readonly { readonly name: string; readonly pid: number }[],
): CpuMeter {
  const measured = hasProcesses ? processes : []
  const look = () => Promise.all(measured.map(({ pid }) => cpuMicros(pid)))
  return {
    async during(act) {
      const before = await look()
      const result = await act()
      const after = await look()
      const used = measured.map(({ name }, i) => ({
        name,
        micros: (after[i] ?? 0) - (before[i] ?? 0),
      }))
      return { result, used }
    },
  }
}
