// What the events of the benchmark are signed with.

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
