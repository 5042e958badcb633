export default { serverExternalPackages: ['rigcast'] };
