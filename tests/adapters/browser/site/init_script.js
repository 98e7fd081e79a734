window.fromInit = 'yes';
