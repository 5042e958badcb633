export default { resolve: { alias: { '#tests': process.env.RIGCAST_TESTS } } };
