/** The name of what is created last: streams are read until they tell of it. */
export const mark = 'the-end';
