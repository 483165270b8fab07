// Loaded before a program that is to have a wrong clock: LTM_TEST_CLOCK_MS says by how much.
const shift = Number(process.env.LTM_TEST_CLOCK_MS ?? 0);
const now = Date.now.bind(Date);
Date.now = () => now() + shift;

export {};
