/** True if the work was done in time. Late work continues, and its result is ignored. */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The result of the work. Throws if it is late. */
export async function doneWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  if (await isDoneWithin(ms, work)) return work
  throw new Error(`no answer within ${ms} ms`)
}
