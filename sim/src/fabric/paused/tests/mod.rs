mod network;
mod one_switch;
mod several;
